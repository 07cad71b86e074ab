// A table as this client knows it: one plain object, made from what the server says. It holds no rule of the game: whose
// turn it is, who takes what, what a pile is worth, what is legal and who has won, all of that is told.

/**
 * @typedef {number} Seat
 * @typedef {string} Card            such as "R9"
 * @typedef {{ player: string | null, standIn: string | null }} Chair
 * @typedef {{ seat: Seat, card: Card, by: string, now: Now }} Play
 * @typedef {{ toPlay: Seat | null, goliath: Seat | null, david: Seat | null }} Now
 * @typedef {{ seat: Seat, colour: number, worth: number, next: number | null }} Cell
 * @typedef {object} Trick
 * @property {Play[]} plays
 * @property {Seat} goliath
 * @property {Seat} david
 * @property {Card[]} toGoliath
 * @property {Card[]} toDavid
 * @property {Cell[]} cells          the piles that grew, as they are after it
 * @property {Cell[]} before         the same piles before it
 * @property {string | null} tie
 *
 * @typedef {object} Pile            the cards of one colour that a seat has captured
 * @property {number[]} values
 * @property {number} worth
 * @property {number | null} next    what one more card would change; null: its own value
 *
 * @typedef {object} Deal
 * @property {number} deal
 * @property {Seat} dealer
 * @property {Card[][]} hands        as dealt: empty where they aren't for our eyes
 * @property {Trick[]} tricks
 * @property {Play[]} table          the trick being played
 * @property {Pile[][]} piles        by seat and colour
 * @property {Now} now
 * @property {Now} start
 * @property {string} commitment
 * @property {string} shuffle        known when the deal is over
 * @property {boolean} aborted
 *
 * @typedef {{ card: Card, goliath: Seat | null, david: Seat | null, toDavid: Card[], worths: [Seat, number, number][] }} Choice
 * @typedef {{ seq: number, choices: Choice[], seconds: number | null, since: number }} Turn
 *
 * @typedef {object} Game
 * @property {string} table
 * @property {string | null} you
 * @property {number} seq
 * @property {number} highest        the highest value in the deck
 * @property {number} most           so many deals at the most
 * @property {number | null} target
 * @property {string} phase
 * @property {number[]} totals
 * @property {number[]} places
 * @property {Chair[]} chairs
 * @property {string} host
 * @property {string} rules
 * @property {number | null} turnSeconds
 * @property {boolean} takeover
 * @property {{ wish: boolean } | null} paused
 * @property {boolean} locked
 * @property {number | null} pace    milliseconds of a bot's card
 * @property {boolean} ended         broken off
 * @property {Set<Seat>} goneOn
 * @property {Deal[]} deals
 * @property {{ deal: number, commitment: string } | null} committed
 * @property {string | null} rematch
 * @property {Record<string, string>} names
 * @property {Set<string>} present
 * @property {number} spectators
 * @property {Turn | null} turn
 * @property {boolean} warming
 * @property {boolean} saving       whether the server can save what happens
 * @property {number} turnSince      when the turn began, by our clock
 */

export const COLOURS = ["R", "Y", "G", "B", "V"];

/** @param {string} table @returns {Game} */
export function newGame(table) {
  return {
    table,
    you: null,
    seq: 0,
    highest: 12,
    most: 0,
    target: null,
    phase: "loading",
    totals: [],
    places: [],
    chairs: [],
    host: "",
    rules: "",
    turnSeconds: null,
    takeover: false,
    paused: null,
    locked: false,
    pace: null,
    ended: false,
    goneOn: new Set(),
    deals: [],
    committed: null,
    rematch: null,
    names: {},
    present: new Set(),
    spectators: 0,
    turn: null,
    warming: false,
    saving: true,
    turnSince: 0,
  };
}

/** A set of cards by its notation, "R1,9 Y5". @param {string} text @returns {Card[]} */
export function cards(text) {
  if (text === "-") return [];
  return text.split(" ").flatMap((group) => group.slice(1).split(",").map((value) => group[0] + value));
}

/** @param {Card} card */
export const valueOf = (card) => Number(card.slice(1));
/** @param {Card} card */
export const colourOf = (card) => card[0];

/** The deal being played, or the last one. @param {Game} game @returns {Deal | undefined} */
export const dealOf = (game) => game.deals.findLast((deal) => !deal.aborted);

/** The seat of this client's person. @param {Game} game @returns {Seat | null} */
export function mySeat(game) {
  const seat = game.you ? game.chairs.findIndex((chair) => chair.player === game.you) : -1;
  return seat < 0 ? null : seat;
}

/** What this client's person holds now. @param {Game} game @returns {Card[]} */
export function myHand(game) {
  const seat = mySeat(game);
  const deal = dealOf(game);
  return seat === null || !deal ? [] : handOf(deal, seat);
}

/** What a seat holds now, as far as we know. @param {Deal} deal @param {Seat} seat */
export function handOf(deal, seat) {
  const played = new Set(playsOf(deal).map((play) => play.card));
  return deal.hands[seat].filter((card) => !played.has(card));
}

/** @param {Deal} deal @returns {Play[]} */
export const playsOf = (deal) => [...deal.tricks.flatMap((trick) => trick.plays), ...deal.table];

/** What a seat's pile is worth. @param {Deal} deal @param {Seat} seat */
export const scoreOf = (deal, seat) => deal.piles[seat].reduce((sum, pile) => sum + pile.worth, 0);

/** One person among bots. @param {Game} game */
export const isSolo = (game) => game.chairs.filter((chair) => isPerson(chair.player)).length === 1;

/** @param {string | null} player */
export const isPerson = (player) => player !== null && !player.startsWith("bot:");

/**
 * Takes in an event with what it did.
 * @param {Game} game
 * @param {{ event: any, now?: any[], took?: any[], stand?: any }} told
 */
export function happened(game, { event, now, took, stand }) {
  game.seq += 1;
  takeIn(game, event, readNow(now), took);
  if (stand) {
    game.phase = stand.phase;
    game.totals = stand.totals;
    game.places = stand.places;
  }
}

/** @param {any[] | undefined} now @returns {Now | null} */
function readNow(now) {
  return now ? { toPlay: now[0], goliath: now[1], david: now[2] } : null;
}

/** @param {Game} game @param {any} event @param {Now | null} now @param {any[] | undefined} took */
function takeIn(game, event, now, took) {
  const deal = dealOf(game);
  switch (event.type) {
    case "created":
      game.host = event.host;
      game.chairs = event.seats.map((/** @type {string | null} */ player) => ({ player, standIn: null }));
      game.rules = event.rules;
      game.turnSeconds = event.turn_seconds ?? null;
      game.takeover = event.takeover ?? false;
      break;
    case "sat":
      game.chairs[event.seat] = { player: event.player, standIn: null };
      break;
    case "stood":
      game.chairs[event.seat] = { player: null, standIn: null };
      break;
    case "stoodin":
      game.chairs[event.seat] = { ...game.chairs[event.seat], standIn: event.bot };
      break;
    case "cameback":
      game.chairs[event.seat] = { ...game.chairs[event.seat], standIn: null };
      break;
    case "committed":
      game.committed = { deal: event.deal, commitment: event.commitment };
      break;
    case "dealt":
      if (now) game.deals.push(newDeal(game, event, now));
      game.committed = null;
      game.goneOn = new Set();
      break;
    case "opened":
      for (const one of game.deals) if (one.deal === event.deal && !one.shuffle) one.shuffle = event.shuffle;
      break;
    case "aborted":
      if (deal) deal.aborted = true;
      break;
    case "played":
      if (deal && now) play(deal, { seat: event.seat, card: event.card, by: event.by ?? "person", now }, took);
      break;
    case "undone":
      if (deal) undo(deal, event.cards);
      break;
    case "wenton":
      game.goneOn = new Set([...game.goneOn, event.seat]);
      break;
    case "paused":
      game.paused = { wish: event.wish ?? true };
      break;
    case "resumed":
      game.paused = null;
      break;
    case "locked":
      game.locked = event.locked;
      break;
    case "hostis":
      game.host = event.person;
      break;
    case "paceset":
      game.pace = event.milliseconds;
      break;
    case "ended":
      game.ended = true;
      game.paused = null;
      break;
    case "rematch":
      game.rematch = event.table;
      break;
  }
}

/** @param {Game} game @param {any} event @param {Now} now @returns {Deal} */
function newDeal(game, event, now) {
  return {
    deal: event.deal,
    dealer: event.dealer,
    hands: event.hands.map(cards),
    tricks: [],
    table: [],
    piles: game.chairs.map(() => COLOURS.map(() => ({ values: [], worth: 0, next: null }))),
    now,
    start: now,
    commitment: game.committed?.commitment ?? "",
    shuffle: "",
    aborted: false,
  };
}

/** @param {Deal} deal @param {Play} played @param {any[] | undefined} took */
function play(deal, played, took) {
  deal.table = [...deal.table, played];
  deal.now = played.now;
  if (!took || played.now.goliath === null || played.now.david === null) return;
  const [toGoliath, toDavid, cells, tie] = took;
  /** @type {Trick} */
  const trick = {
    plays: deal.table,
    goliath: played.now.goliath,
    david: played.now.david,
    toGoliath: cards(toGoliath),
    toDavid: cards(toDavid),
    cells: cells.map((/** @type {any[]} */ [seat, colour, worth, next]) => ({ seat, colour, worth, next })),
    before: [],
    tie,
  };
  trick.before = trick.cells.map(({ seat, colour }) => ({ seat, colour, ...deal.piles[seat][colour] }));
  deal.tricks = [...deal.tricks, trick];
  deal.table = [];
  deal.piles = captured(deal.piles, trick);
}

/** @param {Pile[][]} piles @param {Trick} trick @returns {Pile[][]} */
function captured(piles, trick) {
  const taker = (/** @type {Seat} */ seat) => seat === trick.goliath || seat === trick.david;
  const after = piles.map((pile, seat) => (taker(seat) ? pile.map((one) => ({ ...one, values: [...one.values] })) : pile));
  for (const [seat, taken] of /** @type {[Seat, Card[]][]} */ ([[trick.goliath, trick.toGoliath], [trick.david, trick.toDavid]])) {
    for (const card of taken) after[seat][COLOURS.indexOf(colourOf(card))].values.push(valueOf(card));
  }
  for (const { seat, colour, worth, next } of trick.cells) {
    Object.assign(after[seat][colour], { worth, next });
    after[seat][colour].values.sort((one, other) => one - other);
  }
  return after;
}

/** Takes cards back: what they did is forgotten. @param {Deal} deal @param {number} count */
function undo(deal, count) {
  const plays = playsOf(deal);
  const kept = plays.length - count;
  const size = deal.piles.length;
  const tricks = deal.tricks.slice(0, Math.floor(kept / size));
  deal.table = plays.slice(tricks.length * size, kept);
  deal.tricks = tricks;
  deal.piles = tricks.reduce(captured, deal.piles.map(() => COLOURS.map(() => ({ values: [], worth: 0, next: null }))));
  deal.now = kept ? plays[kept - 1].now : deal.start;
}

const STONES = ["Flint", "Onyx", "Agate", "Slate", "Opal", "Jade"];

/** What a bot is called, by its seat. @param {Seat} seat */
export const stoneName = (seat) => STONES[seat % STONES.length];

/** What to call whoever sits there: bots are called by their seat, so that nobody mixes them up. @param {Game} game @param {Seat} seat @param {(key: string) => string} t */
export function nameOf(game, seat, t) {
  const player = game.chairs[seat]?.player;
  if (!player) return t("page.open_seat");
  if (player === game.you) return t("page.you");
  return isPerson(player) ? (game.names[player] ?? "?") : stoneName(seat);
}
