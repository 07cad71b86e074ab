// From a session to what its table shows: the rows of the piles, the slots of the trick, the narrator's sentence, the
// hand.

import { COLOURS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { stored } from "../base/storage.js";
import { capital, rich, t } from "../base/texts.js";
import { botName, character, offer } from "../ui/bots.js";
import { button, chip, icon, iconButton, suit } from "../ui/pieces.js";
import {
  amHost,
  botOf,
  dealOf,
  fallsOf,
  isDoubted,
  isPerson,
  isSolo,
  myChair,
  myHand,
  mySeat,
  scoreOf,
} from "./game.js";

import { hand } from "./hand.js";
import { lookOf, titleOf } from "./looks.js";
import { gain, outcome, sayBar, why } from "./narrator.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./game.js").Choice} Choice
 * @typedef {import("./table.js").Refused} Refused
 * @typedef {import("./piles.js").Row} Row
 * @typedef {import("./trick.js").Slot} Slot
 * @typedef {import("../base/dom.js").Inner} Inner
 * @typedef {(seat: number) => string} Namer
 * @typedef {{ play: () => void, goOn: () => void, wish: (wish: import("./session.js").Wish) => void,
 *             back: (() => void) | null, hint: () => void, advice: Inner }} Acts
 * @typedef {Pick<Session, "game" | "held" | "landing" | "bare" | "pending"> & { taken?: boolean }} Shown
 *   a table that is played, or replayed: there a trick that is shown is taken already
 */

const AWAY = { gone: "page.gone_says", late: "page.late_says", silent: "page.silent_says" };
/** After so many seconds of a turn the host is offered to ask. */
const LONG = 20;

/** Whether we can ask what to play, where that is a question. @param {import("./game.js").Game} game */
export const canHaveHint = ({ solo, hints, turn, advice }) =>
  offer.study && (solo || hints) && !advice && turn !== null && turn.choices.length > 1;

/** Who is shown in which order: clockwise from my left, I come last. @param {Shown} session */
function order({ game }) {
  const first = (mySeat(game) ?? -1) + 1;
  return game.chairs.map((_, place) => (first + place) % game.chairs.length);
}

/**
 * What each pile gains or loses, by the trick that is shown or the card that is picked.
 * @param {Shown} session
 * @param {Choice | null} preview
 * @param {number} seat
 */
function swings({ game, held, landing }, preview, seat) {
  const deal = dealOf(game);
  const taken = held ?? landing;
  if (taken)
    return new Map(
      taken.cells.flatMap((cell, place) =>
        cell.seat === seat ? [[cell.colour, cell.worth - taken.before[place].worth]] : [],
      ),
    );
  if (!preview || !deal) return new Map();
  return new Map(
    preview.worths.flatMap(([who, colour, worth]) =>
      who === seat ? [[colour, worth - deal.piles[seat][colour].worth]] : [],
    ),
  );
}

/**
 * A seat's piles: those that grow by a trick are as they were while its cards lie on the table.
 * @param {Shown} session @param {number} seat
 */
function pilesOf({ game, held, taken }, seat) {
  const piles = dealOf(game)?.piles[seat] ?? COLOURS.map(() => ({ values: [], worth: 0, next: null }));
  if (!held || taken) return piles;
  return piles.map((pile, colour) => held.before.find((one) => one.seat === seat && one.colour === colour) ?? pile);
}

/** What has just been done to a seat. @param {Shown} session @param {number} seat */
function moodOf({ held, landing }, seat) {
  if (landing && fallsOf(landing).some((fall) => fall.seat === seat)) return "shaken";
  const trick = held ?? landing;
  return trick?.goliath === seat && trick.david !== seat ? "robbed" : null;
}

/** @param {Shown} session @param {number} seat @returns {Inner} */
function note({ game }, seat) {
  const chair = game.chairs[seat];
  if (chair.standIn) return t("page.bot_plays");
  if (chair.isAsked) return t("page.asked_note");
  if (isAway(game, seat))
    return t({ gone: "page.away", late: "page.away_late", silent: "page.away_silent" }[chair.away ?? "gone"]);
  if (chair.heir) return next(game, chair.heir);
  if (game.phase === "playing" && !game.paused && dealOf(game)?.now.toPlay === seat)
    return t(chair.player === game.you ? "page.your_turn_short" : "page.thinking");
  const bot = botOf(chair.player);
  return bot ? botName(bot) : "";
}

/**
 * What a bot has played for me: the cards of this deal, or how many they were before it.
 * @param {import("./game.js").Game} game @param {import("./game.js").Chair} chair @returns {Inner}
 */
export function meanwhile(game, chair) {
  const now = chair.meanwhile.filter(({ deal }) => deal === dealOf(game)?.deal);
  if (now.length) return h("span", null, rich("page.played_for_you", { cards: now.map(({ card }) => chip(card)) }));
  return chair.meanwhile.length > 0 && t("page.played_for_you_many", { count: chair.meanwhile.length });
}

/** Who has a bot's seat with the next deal. @param {import("./game.js").Game} game @param {string} heir */
export const next = (game, heir) =>
  heir === game.you ? t("page.you_next") : t("page.plays_next", { name: game.names[heir] ?? "?" });

/** @param {import("./game.js").Game} game @param {number} seat */
const isAway = (game, seat) =>
  game.chairs[seat].away !== null ||
  (isPerson(game.chairs[seat].player) && !game.present.has(game.chairs[seat].player ?? ""));

/** The same in one sign, at the face. @param {Shown} session @param {number} seat @returns {Inner} */
function sign({ game }, seat) {
  const chair = game.chairs[seat];
  if (chair.standIn) return icon("bot");
  return chair.isAsked ? "?" : isAway(game, seat) ? "z" : chair.heir && "+";
}

/**
 * @param {Shown} session @param {Choice | null} preview @param {Namer} name @param {(seat: number) => void} open
 * @param {Map<number, { emote: string }>} said
 * @returns {Row[]}
 */
export function rowsOf(session, preview, name, open, said) {
  const { game } = session;
  const deal = dealOf(game);
  const falls = session.landing ? fallsOf(session.landing) : [];
  return order(session).map((seat) => {
    const trick = session.taken ? null : (session.held ?? session.landing);
    const due = trick ? gain(trick, seat) : 0;
    const score = (deal ? scoreOf(deal, seat) : 0) - due;
    const turn = game.phase === "playing" && !session.held && !session.landing && deal?.now.toPlay === seat;
    return {
      seat,
      look: lookOf(game, seat),
      name: name(seat),
      title: titleOf(game, seat),
      character: character(botOf(game.chairs[seat].player) ?? ""),
      note: note(session, seat),
      me: seat === mySeat(game),
      turn,
      away: isAway(game, seat),
      sign: sign(session, seat),
      piles: pilesOf(session, seat),
      score,
      total: game.most > 1 ? (game.totals[seat] ?? 0) + (game.phase === "playing" ? score : -due) : null,
      clock: turn ? clock(game) : null,
      swings: swings(session, preview, seat),
      falls: new Map(falls.flatMap((fall) => (fall.seat === seat ? [[fall.colour, `${fall.from}→${fall.to}`]] : []))),
      mood: moodOf(session, seat),
      open: () => open(seat),
      saying: said.get(seat)?.emote,
    };
  });
}

/** For how many seconds the table has waited for what it waits for. @param {import("./game.js").Game} game */
const waited = (game) => game.clock.seconds - game.turnSince;

/** Which part of the turn is left. @param {import("./game.js").Game} game */
function clock(game) {
  if (!game.turnSeconds || isSolo(game)) return null;
  return Math.max(0, 1 - waited(game) / game.turnSeconds);
}

/** @param {Shown} session @param {Choice | null} preview @param {Namer} name @returns {Slot[]} */
export function slotsOf({ game, held, bare, pending }, preview, name) {
  const deal = dealOf(game);
  if (!deal || (game.phase !== "playing" && !held)) return [];
  const plays = held ? held.plays : deal.table;
  const me = mySeat(game);
  const leader = plays[0]?.seat ?? deal.now.toPlay ?? deal.tricks.at(-1)?.goliath ?? 0;
  const marks = held ?? preview ?? (plays.length > 1 ? deal.now : { goliath: null, david: null });
  return game.chairs.map((_, place) => {
    const seat = (leader + place) % game.chairs.length;
    const played = plays.find((play) => play.seat === seat)?.card ?? (seat === me && !held ? pending : null);
    const card = played ?? (seat === me && preview ? preview.card : null);
    return {
      seat,
      look: lookOf(game, seat),
      name: name(seat),
      card,
      ghost: !played && card !== null,
      me: seat === me,
      turn: !held && !card && game.phase === "playing" && deal.now.toPlay === seat,
      goliath: card !== null && marks.goliath === seat,
      david: card !== null && marks.david === seat,
      bare,
    };
  });
}

/**
 * What the narrator says now.
 * @param {Session} session @param {Choice | null} preview @param {Refused | null} refused @param {Namer} name
 * @param {Acts} acts
 */
export function narrate(session, preview, refused, name, acts) {
  const [text, act, key] = sentence(session, preview, refused, name, acts);
  const chair = myChair(session.game);
  const missed = chair?.standIn ? "page.stood_in" : chair?.away === "silent" && "page.seem_away";
  if (!missed || key === "preview" || session.game.phase === "over") return sayBar(text, act, key);
  const back = button(t(chair?.standIn ? "page.take_over" : "page.am_here"), () => acts.wish({ type: "back" }), {
    class: "big",
    key: "here",
    "data-act": "here",
  });
  const isTheirs = chair?.standIn && key === "turn"; // what I may play concerns me again once I am back
  const since = (!session.held && chair?.standIn && meanwhile(session.game, chair)) || (!isTheirs && text);
  return sayBar(
    [h("b", { class: "missed", role: "status" }, icon("bot"), t(missed)), h("span", { class: "meanwhile" }, since)],
    back,
    "missed",
  );
}

/**
 * What there is to say, what to do about it, and of which kind it is.
 * @param {Session} session
 * @param {Choice | null} preview
 * @param {Refused | null} refused
 * @param {Namer} name
 * @param {Acts} acts
 * @returns {[Inner, Inner, string]}
 */
function sentence(session, preview, refused, name, acts) {
  const { game, held } = session;
  const deal = dealOf(game);
  const host = amHost(game);
  const head = (/** @type {Inner} */ text) => h("span", { class: "head" }, text);
  if (held) {
    const text = [head(why(held, name)), outcome(held, name, (seat) => gain(held, seat))];
    return [text, button(t("page.go_on"), acts.goOn, { class: "act", "data-act": "go-on" }), "taken"];
  }
  const fall = session.landing && fallsOf(session.landing)[0];
  if (fall) {
    const values = { name: name(fall.seat), colour: t(`colour.${COLOURS[fall.colour]}`), from: fall.from, to: fall.to };
    return [[suit(COLOURS[fall.colour]), " ", h("b", null, t("page.falls", values))], null, "falls"];
  }
  if (game.paused) {
    return [
      t(game.paused.wish && !host ? "page.paused" : "page.paused_alone"),
      host && button(t("page.resume"), () => acts.wish({ type: "resume" }), { class: "act" }),
      "paused",
    ];
  }
  if (acts.back)
    return [
      t("page.deal_over"),
      button(t(game.phase === "over" ? "page.back_to_end" : "page.back_to_scores"), acts.back, {
        class: "act",
        "data-act": "back",
      }),
      game.phase,
    ];
  if (game.phase !== "playing" || !deal)
    return [
      t(game.phase === "dealing" || game.phase === "gathering" ? "page.shuffling" : "page.deal_over"),
      null,
      game.phase,
    ];
  const turn = deal.now.toPlay ?? 0;
  if (session.canPlay && preview) {
    const isLast = deal.table.length === game.chairs.length - 1;
    const text =
      preview.goliath === null || preview.david === null
        ? [head(t("page.you_lead")), t("page.you_lead_what")]
        : [head(t(isLast ? "page.if_last" : "page.if_ended")), previewOutcome(session, preview, name)];
    return [
      text,
      stored.settings.confirm && button(t("page.play"), acts.play, { class: "act", "data-act": "play" }),
      "preview",
    ];
  }
  if (refused) return [[chip(refused.card), " ", refused.why], null, "refused"];
  if (session.canPlay && acts.advice) return [acts.advice, null, "advice"];
  if (session.canPlay)
    return [
      yourTurn(session),
      canHaveHint(game) && iconButton("lamp", t("page.hint"), acts.hint, { "data-act": "hint", key: "hint" }),
      "turn",
    ];
  const chair = game.chairs[turn];
  if (turn !== mySeat(game) && !chair.standIn && (chair.isAsked || isAway(game, turn))) {
    const says = chair.isAsked ? "page.asked_says" : chair.away ? AWAY[chair.away] : "page.waiting_for";
    const why = chair.away
      ? t(host ? "page.waiting_why" : "page.waiting_guest")
      : t(chair.isAsked ? "page.waiting_answer" : "page.waiting_line");
    return [
      [head(t(says, { name: name(turn) })), why],
      host && chair.away && button(t("page.let_bot_play"), () => acts.wish({ type: "replaceabsent", seat: turn })),
      "waiting",
    ];
  }
  const text =
    turn === mySeat(game)
      ? t(session.pending ? "page.your_card" : "page.your_turn")
      : rich("page.is_thinking", { name: h("b", null, name(turn)) });
  const ask =
    host &&
    turn !== mySeat(game) &&
    isPerson(chair.player) &&
    !chair.standIn &&
    waited(game) > LONG &&
    button(t("page.ask"), () => acts.wish({ type: "ask", seat: turn }));
  return [[text, game.warming && h("span", { class: "quiet" }, " ", t("page.warming"))], ask, "thinking"];
}

/** @param {Session} session */
function yourTurn({ game }) {
  const led = dealOf(game)?.table[0]?.card[0];
  const seconds =
    typeof game.turn?.seconds === "number"
      ? Math.max(0, Math.ceil(game.turn.seconds - (game.clock.seconds - game.turn.since)))
      : null;
  const clock =
    seconds !== null &&
    seconds <= 10 &&
    h("b", { class: "hurry" }, " ", seconds ? t("page.seconds_left", { count: seconds }) : t("page.late_you"));
  if (stored.settings.forced && game.turn?.choices.length === 1 && !isDoubted(game))
    return [h("b", null, t("page.your_turn")), " ", t("page.forced_soon"), clock];
  if (!led) return [h("b", null, t("page.your_turn")), " ", t("page.lead_any"), clock];
  const follows = game.turn?.choices.every((choice) => choice.card[0] === led);
  return [
    h("b", null, t("page.your_turn")),
    " ",
    suit(led),
    " ",
    capital(t(follows ? "page.follow" : "page.follow_none", { colour: t(`colour.${led}`) })),
    clock,
  ];
}

/** @param {Session} session @param {Choice} preview @param {Namer} name */
function previewOutcome({ game }, preview, name) {
  const deal = dealOf(game);
  const lying = [...(deal?.table.map((play) => play.card) ?? []), preview.card];
  const change = (/** @type {number} */ seat) =>
    preview.worths.reduce(
      (sum, [who, colour, worth]) => (who === seat ? sum + worth - (deal?.piles[seat][colour].worth ?? 0) : sum),
      0,
    );
  const taken = {
    goliath: preview.goliath ?? 0,
    david: preview.david ?? 0,
    toDavid: preview.toDavid,
    toGoliath: lying.filter((card) => !preview.toDavid.includes(card)),
  };
  return outcome(taken, name, change);
}

/**
 * @param {Session} session
 * @param {import("./table.js").Ui} ui
 * @param {{ tap: (card: string) => void, draw: () => void }} acts
 */
export function tableHand(session, ui, { tap, draw }) {
  const { game } = session;
  const cards = myHand(game).filter((card) => card !== session.pending);
  const choices = session.canPlay ? (game.turn?.choices ?? []) : null;
  const hover = (/** @type {string | null} */ card) => {
    if (stored.settings.confirm || ui.hover === card) return;
    ui.hover = card;
    if (card) ui.refused = null;
    draw();
  };
  return hand({
    cards,
    legal: choices && new Set(choices.map((choice) => choice.card)),
    pick: ui.pick ?? ui.hover,
    focus: ui.focus,
    mine: choices !== null,
    marks:
      game.advice && choices
        ? new Map([[game.advice.best, { text: "★", says: t("page.hint"), kind: "best" }]])
        : undefined,
    tap,
    preview: hover,
    unpreview: () => hover(null),
    focused: (card) => {
      ui.focus = card;
      hover(card);
    },
  });
}
