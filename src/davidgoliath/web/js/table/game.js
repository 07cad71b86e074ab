// A table as this client knows it: one plain object, made from what the server says. It holds no rule of the game:
// whose turn it is, who takes what, what a pile is worth, what is legal and who has won, all of that is told.

import { COLOURS, cardColour, cards, cardValue } from "../base/cards.js";
import { BOT, STONES } from "../base/facts.js";

/**
 * @typedef {import("../base/protocol").AnyEvent} AnyEvent
 * @typedef {import("../base/protocol").Told} Told
 * @typedef {number} Seat
 * @typedef {string} Card            such as "R9"
 *
 * @typedef {object} Chair
 * @property {string | null} player
 * @property {string | null} standIn   the bot that plays for somebody who is away
 * @property {import("../base/protocol").Away["why"] | null} away  why it may
 * @property {boolean} isAsked         whether the host waits for their answer
 * @property {number | null} askedAt   since when, by the game's clock; null: since before we came
 * @property {string | null} heir      who has this bot's seat with the next deal
 * @property {{ deal: number, card: Card }[]} meanwhile  what the bot has played for them
 *
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
 * @property {(Cell & Pile)[]} before  the same piles before it
 * @property {import("../base/protocol").Took[3]} tie
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
 * @property {(string | null)[]} players  who had the seats then
 * @property {Trick[]} tricks
 * @property {Play[]} table          the trick being played
 * @property {Pile[][]} piles        by seat and colour
 * @property {Now} now
 * @property {Now} start
 * @property {string} commitment
 * @property {string} shuffle        known when the deal is over
 * @property {boolean} aborted
 *
 * @typedef {{ card: Card, goliath: Seat | null, david: Seat | null, toDavid: Card[],
 *             worths: [Seat, number, number][] }} Choice
 * @typedef {{ seq: number, choices: Choice[], seconds: number | null, since: number }} Turn
 *
 * @typedef {object} Game
 * @property {string} table
 * @property {string | null} you
 * @property {number} seq
 * @property {number} highest        the highest value in the deck
 * @property {number} most           so many deals at the most
 * @property {number | null} target
 * @property {import("../base/protocol").Phase | "loading"} phase
 * @property {number[]} totals
 * @property {number[]} places
 * @property {boolean} counts        whether a win would count as one over these bots
 * @property {import("../base/protocol").TurningPoint[]} turningPoints  when the match is over
 * @property {Chair[]} chairs
 * @property {string} host
 * @property {string} owner          who made the table
 * @property {boolean} solo          whether cards may be taken back: nobody else has ever had any
 * @property {string} rules
 * @property {number | null} turnSeconds
 * @property {boolean} takeover
 * @property {{ wish: boolean } | null} paused
 * @property {boolean} locked
 * @property {boolean} watched       whether people without a seat may watch
 * @property {boolean} hints         whether they are a term of this table
 * @property {Play[]} undone         what was taken back last
 * @property {boolean} sentAway      whether the host doesn't let us sit
 * @property {number | null} pace    milliseconds of a bot's card
 * @property {boolean} ended         broken off
 * @property {Set<Seat>} goneOn
 * @property {Deal[]} deals
 * @property {{ deal: number, commitment: string } | null} committed
 * @property {string | null} rematch
 * @property {Record<string, string>} names
 * @property {Record<string, import("../base/protocol").Stone>} stones  of people at the table
 * @property {Set<string>} present
 * @property {number} spectators
 * @property {Turn | null} turn
 * @property {import("../base/protocol").Advice | null} advice  for the card of this turn
 * @property {boolean} warming
 * @property {boolean} saving       whether the server can save what happens
 * @property {Stopwatch} clock       stands still while the table does
 * @property {number} turnSince      when the turn began, by that clock
 */

/** Counts seconds while it runs. */
class Stopwatch {
  soFar = 0;
  /** @type {number | null} */
  since = null;

  get seconds() {
    return this.soFar + (this.since === null ? 0 : (performance.now() - this.since) / 1000);
  }

  /** Goes on, or stands still from now on. @param {boolean} runs */
  run(runs) {
    this.soFar = this.seconds;
    this.since = runs ? performance.now() : null;
  }
}

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
    counts: false,
    turningPoints: [],
    chairs: [],
    host: "",
    owner: "",
    solo: false,
    rules: "",
    turnSeconds: null,
    takeover: false,
    paused: null,
    locked: false,
    watched: true,
    hints: false,
    sentAway: false,
    pace: null,
    ended: false,
    goneOn: new Set(),
    deals: [],
    committed: null,
    rematch: null,
    names: {},
    stones: {},
    present: new Set(),
    spectators: 0,
    undone: [],
    turn: null,
    advice: null,
    warming: false,
    saving: true,
    clock: new Stopwatch(),
    turnSince: 0,
  };
}

/** The deal being played, or the last one. @param {Game} game @returns {Deal | undefined} */
export const dealOf = (game) => game.deals.findLast((deal) => !deal.aborted);

/** The seat of this client's person. @param {Game} game @returns {Seat | null} */
export function mySeat(game) {
  const seat = game.you ? game.chairs.findIndex((chair) => chair.player === game.you) : -1;
  return seat < 0 ? null : seat;
}

/** The seat that an address speaks of. @param {string | null} text @param {Game} game @returns {Seat | null} */
export const seatOf = (text, { chairs }) => (text && chairs[Number(text)] ? Number(text) : null);

/** What this client's person holds now. @param {Game} game @returns {Card[]} */
export function myHand(game) {
  const seat = mySeat(game);
  const deal = dealOf(game);
  return seat === null || !deal ? [] : handOf(deal, seat);
}

/** What a seat holds now, as far as we know. @param {Deal} deal @param {Seat} seat */
function handOf(deal, seat) {
  const played = new Set(playsOf(deal).map((play) => play.card));
  return deal.hands[seat].filter((card) => !played.has(card));
}

/** @param {Deal} deal @returns {Play[]} */
export const playsOf = (deal) => [...deal.tricks.flatMap((trick) => trick.plays), ...deal.table];

/** What a seat's pile is worth. @param {Deal} deal @param {Seat} seat */
export const scoreOf = (deal, seat) => deal.piles[seat].reduce((sum, pile) => sum + pile.worth, 0);

/** What a pile looks like: its third card brings it down. @param {Pile} pile */
export const stateOf = (pile) => (pile.values.length === 0 ? "bare" : pile.next === 1 ? "rubble" : "up");

/**
 * The cairns that a trick brings down, those that lose most first.
 * @param {Trick} trick
 * @returns {{ seat: Seat, colour: number, from: number, to: number }[]}
 */
export function fallsOf({ cells, before }) {
  return before
    .flatMap((pile, place) =>
      stateOf(pile) === "up" && cells[place].next === 1
        ? [{ seat: pile.seat, colour: pile.colour, from: pile.worth, to: cells[place].worth }]
        : [],
    )
    .sort((one, other) => other.from - other.to - (one.from - one.to));
}

/** One person among bots: nobody else waits. @param {Game} game */
export const isSolo = (game) => game.chairs.filter((chair) => isPerson(chair.player)).length === 1;

/** @param {string | null} player @returns {player is string} */
export const isPerson = (player) => player !== null && !player.startsWith(BOT);

/** The bot's name, if one has a seat. @param {string | null} player */
export const botOf = (player) => (player?.startsWith(BOT) ? player.slice(BOT.length) : null);

/** Our own chair. @param {Game} game @returns {Chair | undefined} */
export const myChair = (game) => game.chairs[mySeat(game) ?? -1];

/** Whether we may not be there, for all that the others know: until we say so, or play. @param {Game} game */
export function isDoubted(game) {
  const chair = myChair(game);
  return chair !== undefined && Boolean(chair.standIn || chair.away || chair.isAsked);
}

/** Whether we are the host. @param {Game} game */
export const amHost = (game) => game.you !== null && game.host === game.you;

/**
 * Whether we are, and the table's maker isn't away for a while only: then we keep things going, and nothing more.
 * @param {Game} game
 */
export const amOwner = (game) =>
  amHost(game) && (game.owner === game.you || !game.chairs.some((chair) => chair.player === game.owner));

/**
 * Takes in an event with what it did.
 * @param {Game} game
 * @param {Told & { heard?: number | null }} told  and when we heard it, by the game's clock
 */
export function happened(game, { event, now, took, stand, heard = null }) {
  game.seq += 1;
  takeIn(game, event, readNow(now), took, heard);
  if (stand) {
    game.phase = stand.phase;
    game.totals = stand.totals;
    game.places = stand.places;
    game.solo = stand.solo;
    game.counts = stand.counts;
    game.turningPoints = stand.turning_points ?? [];
  }
}

/** @param {string | null} player @returns {Chair} */
const newChair = (player) => ({
  player,
  standIn: null,
  away: null,
  isAsked: false,
  askedAt: null,
  heir: null,
  meanwhile: [],
});

/** @param {Told["now"]} now @returns {Now | null} */
function readNow(now) {
  return now ? { toPlay: now[0], goliath: now[1], david: now[2] } : null;
}

/** @param {Game} game @param {number} seat @param {Partial<Chair>} changes */
function reseat(game, seat, changes) {
  game.chairs[seat] = { ...game.chairs[seat], ...changes };
}

/**
 * @param {Game} game
 * @param {AnyEvent} event
 * @param {Now | null} now
 * @param {Told["took"]} took
 * @param {number | null} heard
 */
function takeIn(game, event, now, took, heard) {
  const deal = dealOf(game);
  switch (event.type) {
    case "created":
      game.host = game.owner = event.host;
      game.chairs = event.seats.map(newChair);
      game.rules = event.rules;
      game.turnSeconds = event.turn_seconds ?? null;
      game.takeover = event.takeover ?? false;
      game.hints = event.hints ?? false;
      break;
    case "sat":
      game.chairs[event.seat] = newChair(event.player);
      break;
    case "stood":
      game.chairs[event.seat] = newChair(null);
      break;
    case "reserved":
      reseat(game, event.seat, { heir: event.person ?? null });
      break;
    case "asked":
      reseat(game, event.seat, { isAsked: true, askedAt: heard });
      break;
    case "away":
      reseat(game, event.seat, { away: event.why, isAsked: false });
      break;
    case "stoodin":
      reseat(game, event.seat, { standIn: event.bot, meanwhile: [] });
      break;
    case "cameback":
      reseat(game, event.seat, { standIn: null, away: null, isAsked: false });
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
      if (deal && game.chairs[event.seat].standIn)
        reseat(game, event.seat, {
          meanwhile: [...game.chairs[event.seat].meanwhile, { deal: deal.deal, card: event.card }],
        });
      break;
    case "undone":
      if (deal) game.undone = undo(deal, event.cards);
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
    case "watching":
      game.watched = event.allowed;
      break;
    case "hintsallowed":
      game.hints = event.allowed;
      break;
    case "removed":
      game.sentAway ||= event.person === game.you;
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

/** @param {Game} game @param {import("../base/protocol").Dealt} event @param {Now} now @returns {Deal} */
function newDeal(game, event, now) {
  return {
    deal: event.deal,
    dealer: event.dealer,
    hands: event.hands.map(cards),
    players: game.chairs.map((chair) => chair.player),
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

/** @param {Deal} deal @param {Play} played @param {Told["took"]} took */
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
    cells: cells.map(([seat, colour, worth, next]) => ({ seat, colour, worth, next })),
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
  const after = piles.map((pile, seat) =>
    taker(seat) ? pile.map((one) => ({ ...one, values: [...one.values] })) : pile,
  );
  for (const [seat, taken] of /** @type {[Seat, Card[]][]} */ ([
    [trick.goliath, trick.toGoliath],
    [trick.david, trick.toDavid],
  ])) {
    for (const card of taken) after[seat][COLOURS.indexOf(cardColour(card))].values.push(cardValue(card));
  }
  for (const { seat, colour, worth, next } of trick.cells) {
    Object.assign(after[seat][colour], { worth, next });
    after[seat][colour].values.sort((one, other) => one - other);
  }
  return after;
}

/** Takes cards back: what they did is forgotten. Gives those cards. @param {Deal} deal @param {number} count */
function undo(deal, count) {
  const plays = playsOf(deal);
  const kept = plays.length - count;
  const size = deal.piles.length;
  const tricks = deal.tricks.slice(0, Math.floor(kept / size));
  deal.table = plays.slice(tricks.length * size, kept);
  deal.tricks = tricks;
  deal.piles = tricks.reduce(
    captured,
    deal.piles.map(() => COLOURS.map(() => ({ values: [], worth: 0, next: null }))),
  );
  deal.now = kept ? plays[kept - 1].now : deal.start;
  return plays.slice(kept);
}

/** What a bot is called, by its seat. @param {Seat} seat */
export const stoneName = (seat) => STONES[seat % STONES.length];

/**
 * What to call whoever sits there: bots are called by their seat, so that nobody mixes them up.
 * @param {Game} game
 * @param {Seat} seat
 * @param {(key: string) => string} t
 */
export function nameOf(game, seat, t) {
  const player = game.chairs[seat]?.player;
  if (!player) return t("page.open_seat");
  if (player === game.you) return t("page.you");
  return isPerson(player) ? (game.names[player] ?? "?") : stoneName(seat);
}
