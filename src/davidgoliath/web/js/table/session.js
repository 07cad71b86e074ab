// One person's visit to a table: the line, the state that is shown, and what is still to be shown. Events are shown one
// by one, and a finished trick stays for a while, so what is shown may be behind what has been heard.

import { cards } from "../base/cards.js";
import { part } from "../base/router.js";
import { TableSocket } from "../base/socket.js";
import { stored, stretch } from "../base/storage.js";
import { build, isolatedNames } from "../base/texts.js";
import { offer } from "../ui/bots.js";
import { botOf, dealOf, fallsOf, happened, isSolo, myChair, mySeat, newGame } from "./game.js";
import { DRAWN, dealFrom, lift, THUD, take } from "./motion.js";
import { tell } from "./screen_reader.js";
import { shareFor } from "./shuffle_shares.js";

export const sound = part(() => import("./sound.js"));

/** Milliseconds between two cards: as many as bots take, but neither so few nor so many that nobody can follow. */
const BETWEEN = { least: 320, most: 650 };
const BEFORE_TURN = 80;
const LONGEST_STAY = 6;
/** Events after which the table waits for something else, so that its clock begins anew. */
const MOVES = new Set(["dealt", "played", "undone", "aborted"]);
/** Wishes that hold whatever happens meanwhile: if somebody was quicker with something else, they are said again. */
const LASTING = new Set([
  ...["back", "goon", "leave", "ask", "replaceabsent", "remove"],
  ...["pause", "resume", "lock", "letwatch", "setpace", "end"],
]);
const STANDS = new Set(["paused", "resumed", "ended"]);

/**
 * @typedef {import("./game.js").Trick} Trick
 * @typedef {import("../base/socket.js").Message} Message
 * @typedef {import("../base/protocol").AnyWish} AnyWish
 * @typedef {import("../base/protocol").Say["emote"]} Emote
 * @typedef {import("../base/protocol").Reason} Reason
 * @typedef {import("../base/protocol").Refused["arguments"]} Values  of a refusal
 * @typedef {Extract<Message, { type: "happened" | "turn" | "advice" | "hand" }> & { heard: number,
 *             said?: import("../base/protocol").Said }} Heard  when, by the game's clock, and what a bot says of it
 * @typedef {{ changed: () => void, refused: (reason: Reason, values: Values, card: string | null) => void,
 *             said: (seat: number, emote: string) => void, moved: (table: string) => void,
 *             news: (event: import("../base/protocol").AnyEvent) => void,
 *             gone: (reason: Reason, values: Values) => void }} SessionListener
 */

/** @template T @typedef {T extends unknown ? Omit<T, "expect"> : never} Unnumbered */
/** @typedef {Unnumbered<AnyWish>} Wish  something that changes the table */

export class Session {
  /** @param {string} table @param {SessionListener} listener */
  constructor(table, listener) {
    this.listener = listener;
    this.game = newGame(table);
    /** The number of the last event heard. */
    this.latest = 0;
    /** @type {Heard[]} heard, but not shown yet */
    this.queue = [];
    /** @type {Trick | null} a finished trick that is still shown */
    this.held = null;
    /** @type {Trick | null} a trick on its way to the piles */
    this.landing = null;
    /** Whether the places of the next trick have no faces yet. */
    this.bare = false;
    /** @type {string | null} my card, on its way to the server */
    this.pending = null;
    /** @type {string | null} the card that I last tried to play */
    this.tried = null;
    /** @type {Wish | null} what I last wished */
    this.wished = null;
    /** Whether so much changed at once that nothing should fly. */
    this.jumped = true;
    this.timer = 0;
    this.resting = false;
    /** When the last card was shown, or a trick taken away. */
    this.shownAt = -Infinity;
    this.started = false;
    /** Whether the last that we heard is that the table is paused. */
    this.paused = false;
    this.socket = new TableSocket(table, {
      heard: (message) => this.hear(message),
      changed: (status) => {
        if (status === "lost") this.pending = this.tried = null;
        this.runClock();
        this.listener.changed();
      },
      since: () => this.latest,
    });
  }

  /** The clock stands still while the table does, and while we don't know. */
  runClock() {
    this.game.clock.run(!this.paused && this.game.saving && this.socket.status === "open");
  }

  stop() {
    clearTimeout(this.timer);
    this.socket.stop();
  }

  /** @param {Message} message */
  hear(message) {
    const { game } = this;
    switch (message.type) {
      case "welcome":
        Object.assign(game, {
          saving: true,
          you: message.you,
          highest: message.highest,
          most: message.deals,
          target: message.target,
        });
        if (message.you) stored.person = message.you;
        this.outdated = message.build !== build;
        break;
      case "batch":
        this.flush();
        for (const told of message.events) happened(game, told);
        this.latest = message.first - 1 + message.events.length;
        this.jumped = true;
        if (game.committed) this.share(game.committed);
        this.paused = game.paused !== null;
        this.runClock();
        game.turnSince = game.clock.seconds - message.passed;
        this.holdAgain();
        break;
      case "happened":
        this.latest = message.seq;
        if (message.event.type === "committed") this.share(message.event);
        if (message.event.type === "undone" || this.isMyReturn(message.event)) this.flush();
        this.queue.push({ ...message, heard: game.clock.seconds });
        if (STANDS.has(message.event.type)) this.paused = message.event.type === "paused";
        this.runClock();
        if (message.took && this.held && this.looksOn) this.release();
        this.pump();
        return;
      case "turn":
      case "advice":
      case "hand":
        this.queue.push({ ...message, heard: game.clock.seconds });
        this.pump();
        return;
      case "names":
        Object.assign(game.names, isolatedNames(message.names));
        Object.assign(game.stones, message.stones);
        break;
      case "present":
        game.present = new Set(message.persons);
        game.spectators = message.spectators;
        break;
      case "warming":
        game.warming = !message.ready;
        break;
      case "saving":
        game.saving = message.ready;
        this.runClock();
        break;
      case "said":
        this.sayInTime(message);
        return;
      case "refused":
        this.refused(message);
        return;
    }
    this.listener.changed();
  }

  /** Bots speak of what has happened: not before it is shown. @param {import("../base/protocol").Said} message */
  sayInTime(message) {
    const isBot = botOf(this.game.chairs[message.seat]?.player ?? null) !== null;
    const before = isBot ? this.queue.findLast(({ type }) => type === "happened") : undefined;
    if (before) before.said = message;
    else this.listener.said(message.seat, message.emote);
  }

  /** @param {import("../base/protocol").Refused} message */
  refused({ reason, arguments: values }) {
    if (this.socket.status === "gone") return this.listener.gone(reason, values);
    if (reason === "stale" && this.wished && LASTING.has(this.wished.type)) return void this.wish(this.wished);
    const card = this.tried;
    this.pending = this.tried = null;
    sound()?.refused();
    this.listener.refused(reason, values, card);
  }

  /** Our part in the shuffle of a deal. @param {{ deal: number, commitment: string }} committed */
  share({ deal, commitment }) {
    if (mySeat(this.game) === null) return;
    const share = shareFor(commitment);
    queueMicrotask(() => this.socket.send({ type: "share", deal, share }));
  }

  /** Shows what has been heard, as far as it is time for it. */
  pump() {
    while (!this.held && !this.resting) {
      const message = this.queue.shift();
      if (!message) break;
      const wait = this.dueAt(message) - performance.now();
      if (wait > 0) {
        this.queue.unshift(message);
        this.rest(wait);
      } else this.show(message);
    }
    this.reloadIfOld();
    this.listener.changed();
  }

  /** When it is time to show something: people have to see who played what. @param {Heard} message */
  dueAt(message) {
    const played = message.type === "happened" && message.event.type === "played" ? message.event.card : null;
    if (!stretch() || (played && played === this.tried)) return 0; // my own lies there already
    const between = Math.max(BETWEEN.least, Math.min(BETWEEN.most, this.game.pace ?? offer.pace));
    return this.shownAt + (played ? between : BEFORE_TURN) * stretch();
  }

  /**
   * I have taken over from a bot: what it did meanwhile has been.
   * @param {import("../base/protocol").AnyEvent} event
   */
  isMyReturn(event) {
    return event.type === "cameback" && event.seat === mySeat(this.game) && Boolean(myChair(this.game)?.standIn);
  }

  /** Whether nobody waits for me, so that I must not fall behind. */
  get looksOn() {
    return mySeat(this.game) === null || Boolean(myChair(this.game)?.standIn);
  }

  /** @param {Heard} message */
  show(message) {
    const { game } = this;
    if (message.type === "turn") {
      game.turn = {
        seq: message.seq,
        seconds: message.seconds ?? null,
        since: message.heard,
        choices: message.legal.map((card, place) => {
          const [goliath, david, toDavid, worths] = message.previews[place] ?? [null, null, "-", []];
          return { card, goliath, david, toDavid: cards(toDavid), worths };
        }),
      };
      if (message.seq === game.seq) sound()?.yourTurn();
      return;
    }
    if (message.type === "advice") {
      if (message.seq === game.seq) game.advice = message;
      return;
    }
    if (message.type === "hand") {
      const [deal, seat] = [dealOf(game), mySeat(game)];
      if (deal && seat !== null) deal.hands[seat] = [...new Set([...deal.hands[seat], ...cards(message.hand)])];
      return;
    }
    const { event, took } = message;
    const { phase } = game;
    const stoodIn =
      event.type === "cameback" && game.chairs[event.seat].standIn && dealOf(game)?.now.toPlay === event.seat;
    game.turn = game.advice = null;
    happened(game, message);
    if (stoodIn || game.phase !== phase || MOVES.has(event.type)) game.turnSince = message.heard;
    tell(game, event, Boolean(took));
    this.listener.news(event);
    if (message.said) this.listener.said(message.said.seat, message.said.emote);
    if (event.type === "dealt") {
      this.shownAt = performance.now() + dealFrom(event.dealer);
      sound()?.dealt();
    }
    if (phase !== "over" && game.phase === "over" && !game.ended && game.places[mySeat(game) ?? -1] === 1)
      sound()?.won();
    if (event.type === "rematch" && mySeat(game) !== null) this.listener.moved(event.table);
    if (event.type !== "played") return;
    this.shownAt = performance.now();
    if (event.card === this.tried) this.pending = this.tried = null;
    sound()?.cardFalls(Number(event.card.slice(1)), game.highest);
    if (took) this.hold();
  }

  /** A finished trick stays until a tap, or for the time that the player likes. */
  hold() {
    this.held = dealOf(this.game)?.tricks.at(-1) ?? null;
    if (!this.held) return;
    remember(this.trick);
    sound()?.trickTaken();
    const timed = this.game.turnSeconds !== null && !isSolo(this.game);
    const stay = stored.settings.stay || (timed || this.looksOn ? LONGEST_STAY : 0);
    if (stay) this.timer = setTimeout(() => this.release(), stay * 1000 * Math.min(1, stretch() + 0.1));
  }

  /** The last trick of all, by name. */
  get trick() {
    const deal = dealOf(this.game);
    return `${this.game.table} ${deal?.deal} ${deal?.tricks.length}`;
  }

  /** A trick that lay there when the page was loaded anew lies there again. */
  holdAgain() {
    if (remembered() === this.trick) this.hold();
  }

  /**
   * The trick is taken away, and what came after it is shown: in steps, so that a slow device shows each of them in
   * time.
   */
  release() {
    if (!this.held || this.resting) return;
    clearTimeout(this.timer);
    remember(null);
    const button = document.activeElement?.closest(".say button");
    if (button instanceof HTMLElement) button.blur(); // before it goes: now that is cheap
    if (!stretch()) {
      this.held = null;
      this.reloadIfOld(); // before the cards of the next trick, which may have come already
      return this.pump();
    }
    this.resting = true;
    const trick = this.held;
    const ends = this.game.phase !== "playing"; // what opens then would lie under the cards
    const [worst] = fallsOf(trick);
    if (worst) sound()?.cairnFalls((worst.from - worst.to) / this.game.highest, (THUD * stretch()) / 1000);
    let flight = 0;
    this.inTurn([
      () => {
        flight = take(trick, ends);
        this.shownAt = performance.now();
      },
      () => this.become({ held: null, landing: trick, bare: true }),
      () => {
        this.become({ bare: false });
        return ends || worst ? flight : undefined;
      },
      () => {
        this.reloadIfOld();
        this.become({ landing: null });
      },
      () => this.goOn(),
    ]);
  }

  /**
   * One step after the other, each drawn before the next, or after as many ms as it says.
   * @param {(() => number | void)[]} steps @param {number} [wait]
   */
  inTurn([step, ...later], wait = 0) {
    this.timer = setTimeout(() => {
      const next = step() ?? DRAWN * Math.max(1, stretch());
      if (later.length) this.inTurn(later, next);
    }, wait);
  }

  /** @param {Partial<Pick<Session, "held" | "landing" | "bare">>} now */
  become(now) {
    Object.assign(this, now);
    this.listener.changed();
  }

  /** @param {number} time */
  rest(time) {
    this.resting = true;
    this.timer = setTimeout(() => this.goOn(), time);
  }

  goOn() {
    this.resting = false;
    this.pump();
  }

  /** Shows all that has been heard at once. */
  flush() {
    clearTimeout(this.timer);
    this.held = this.landing = null;
    this.resting = this.bare = false;
    for (const message of this.queue.splice(0)) {
      this.show(message);
      this.held = null;
      clearTimeout(this.timer);
    }
    this.jumped = true;
  }

  /** Whether I can play a card now. */
  get canPlay() {
    const { turn, seq } = this.game;
    return turn !== null && turn.seq === seq && !this.held && !this.pending && this.socket.status === "open";
  }

  /** @param {string} card */
  play(card) {
    if (!this.socket.say({ type: "play", expect: this.game.turn?.seq ?? this.latest, card })) return;
    this.tried = card;
    this.wished = null;
    if (this.game.turn?.choices.some((choice) => choice.card === card)) {
      lift(card);
      this.pending = card; // an illegal one stays where it is
    }
    this.listener.changed();
  }

  /** Something that changes the table. @param {Wish} wish */
  wish(wish) {
    this.wished = wish;
    return this.socket.say({ ...wish, expect: this.latest });
  }

  /** @param {Emote} emote */
  emote(emote) {
    this.socket.say({ type: "say", emote });
  }

  /** The server has a newer page: it is fetched once, between tricks. */
  reloadIfOld() {
    if (!this.outdated || this.held || dealOf(this.game)?.table.length) return;
    this.outdated = false;
    try {
      // from each build once: while servers of two builds run side by side, it could go to and fro
      const left = (sessionStorage.getItem("dg-builds") ?? "").split(" ");
      if (left.includes(build)) return;
      sessionStorage.setItem("dg-builds", [...left, build].join(" "));
    } catch {
      return;
    }
    location.reload();
  }
}

/** What lies on the table, for a page that is loaded anew. @param {string | null} trick */
function remember(trick) {
  try {
    if (trick) sessionStorage.setItem("dg-trick", trick);
    else sessionStorage.removeItem("dg-trick");
  } catch {
    // then it isn't there again
  }
}

function remembered() {
  try {
    return sessionStorage.getItem("dg-trick");
  } catch {
    return null;
  }
}
