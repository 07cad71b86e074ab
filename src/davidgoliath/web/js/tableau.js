// From a session to what its table shows: the rows of the piles, the slots of the trick, the narrator's sentence, the hand.

import { botName } from "./bots.js";
import { h } from "./dom.js";
import { COLOURS, dealOf, isPerson, isSolo, myHand, mySeat, scoreOf } from "./game.js";
import { hand } from "./hand.js";
import { gain, outcome, sayBar, why } from "./narrator.js";
import { own } from "./own.js";
import { button, chip, suit } from "./pieces.js";
import { capital, rich, t } from "./texts.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./game.js").Choice} Choice
 * @typedef {import("./table.js").Refused} Refused
 * @typedef {import("./piles.js").Row} Row
 * @typedef {import("./trick.js").Slot} Slot
 * @typedef {import("./dom.js").Inner} Inner
 * @typedef {(seat: number) => string} Namer
 * @typedef {Pick<Session, "game" | "held" | "landing" | "bare" | "pending">} Shown  a table that is played, or replayed
 */

/** Who is shown in which order: clockwise from my left, I come last. @param {Shown} session */
function order({ game }) {
  const first = (mySeat(game) ?? -1) + 1;
  return game.chairs.map((_, place) => (first + place) % game.chairs.length);
}

/** What each pile gains or loses, by the trick that is shown or the card that is picked. @param {Shown} session @param {Choice | null} preview @param {number} seat */
function swings({ game, held, landing }, preview, seat) {
  const deal = dealOf(game);
  const taken = held ?? landing;
  if (taken) return new Map(taken.cells.flatMap((cell, place) => (cell.seat === seat ? [[cell.colour, cell.worth - taken.before[place].worth]] : [])));
  if (!preview || !deal) return new Map();
  return new Map(preview.worths.flatMap(([who, colour, worth]) => (who === seat ? [[colour, worth - deal.piles[seat][colour].worth]] : [])));
}

/** @param {Shown} session @param {number} seat @returns {Inner} */
function note({ game }, seat) {
  const chair = game.chairs[seat];
  if (chair.standIn) return t("page.bot_plays");
  if (isAway(game, seat)) return t("page.away");
  if (game.phase === "playing" && !game.paused && dealOf(game)?.now.toPlay === seat) return t(chair.player === game.you ? "page.your_turn_short" : "page.thinking");
  return chair.player && !isPerson(chair.player) ? botName(chair.player.slice(4)) : "";
}

/** @param {import("./game.js").Game} game @param {number} seat */
const isAway = (game, seat) => isPerson(game.chairs[seat].player) && !game.present.has(game.chairs[seat].player ?? "");

/**
 * @param {Shown} session @param {Choice | null} preview @param {Namer} name @param {(seat: number) => void} open
 * @param {Map<number, string>} said
 * @returns {Row[]}
 */
export function rowsOf(session, preview, name, open, said) {
  const { game } = session;
  const deal = dealOf(game);
  const bare = COLOURS.map(() => ({ values: [], worth: 0, next: null }));
  return order(session).map((seat) => {
    const score = deal ? scoreOf(deal, seat) : 0;
    const turn = game.phase === "playing" && !session.held && !session.landing && deal?.now.toPlay === seat;
    return {
      seat,
      name: name(seat),
      note: note(session, seat),
      me: seat === mySeat(game),
      turn,
      away: isAway(game, seat),
      piles: deal?.piles[seat] ?? bare,
      score,
      total: (game.totals[seat] ?? 0) + (game.phase === "playing" ? score : 0),
      clock: turn ? clock(game) : null,
      swings: swings(session, preview, seat),
      open: () => open(seat),
      saying: said.get(seat),
    };
  });
}

/** Which part of the turn is left. @param {import("./game.js").Game} game */
function clock(game) {
  if (!game.turnSeconds || isSolo(game)) return null;
  return Math.max(0, 1 - (Date.now() - game.turnSince) / 1000 / game.turnSeconds);
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
 * @param {{ play: () => void, goOn: () => void, wish: (wish: { type: string } & Record<string, any>) => void, back: (() => void) | null }} acts
 */
export function narrate(session, preview, refused, name, acts) {
  const { game, held } = session;
  const deal = dealOf(game);
  const host = game.you !== null && game.host === game.you;
  const head = (/** @type {Inner} */ text) => h("span", { class: "head" }, text);
  if (held) {
    const text = [head(why(held, name)), outcome(held, name, (seat) => gain(held, seat))];
    return sayBar(text, button(t("page.go_on"), acts.goOn, { class: "act", "data-act": "go-on" }), "taken");
  }
  if (game.paused) {
    return sayBar(t(game.paused.wish && !host ? "page.paused" : "page.paused_alone"), host && button(t("page.resume"), () => acts.wish({ type: "resume" }), { class: "act" }), "paused");
  }
  if (acts.back) return sayBar(t("page.deal_over"), button(t(game.phase === "over" ? "page.back_to_end" : "page.back_to_scores"), acts.back, { class: "act", "data-act": "back" }), game.phase);
  if (game.phase !== "playing" || !deal) return sayBar(t(game.phase === "dealing" || game.phase === "gathering" ? "page.shuffling" : "page.deal_over"), null, game.phase);
  const turn = deal.now.toPlay ?? 0;
  if (session.canPlay && preview) {
    const text =
      preview.goliath === null || preview.david === null
        ? [head(t("page.you_lead")), t("page.you_lead_what")]
        : [head(t("page.if_ended")), previewOutcome(session, preview, name)];
    return sayBar(text, own.settings.confirm && button(t("page.play"), acts.play, { class: "act", "data-act": "play" }), "preview");
  }
  if (refused) return sayBar([chip(refused.card), " ", refused.why], null, "refused");
  if (session.canPlay) return sayBar(yourTurn(session), null, "turn");
  if (isAway(game, turn) && !game.chairs[turn].standIn) {
    return sayBar([head(t("page.waiting_for", { name: name(turn) })), t(host ? "page.waiting_why" : "page.waiting_guest")], host && button(t("page.let_bot_play"), () => acts.wish({ type: "replaceabsent", seat: turn, bot: "club" })), "waiting");
  }
  const text = turn === mySeat(game) ? t(session.pending ? "page.your_card" : "page.your_turn") : rich("page.is_thinking", { name: h("b", null, name(turn)) });
  return sayBar([text, game.warming && h("span", { class: "quiet" }, " ", t("page.warming"))], null, "thinking");
}

/** @param {Session} session */
function yourTurn({ game }) {
  const led = dealOf(game)?.table[0]?.card[0];
  const seconds = game.turn?.seconds ? Math.max(0, Math.round(game.turn.seconds - (Date.now() - game.turn.since) / 1000)) : null;
  const clock = seconds !== null && seconds <= 10 && h("b", { class: "hurry" }, " ", t("page.seconds_left", { count: seconds }));
  if (own.settings.forced && game.turn?.choices.length === 1) return [h("b", null, t("page.your_turn")), " ", t("page.forced_soon"), clock];
  if (!led) return [h("b", null, t("page.your_turn")), " ", t("page.lead_any"), clock];
  const follows = game.turn?.choices.every((choice) => choice.card[0] === led);
  return [h("b", null, t("page.your_turn")), " ", suit(led), " ", capital(t(follows ? "page.follow" : "page.follow_none", { colour: t(`colour.${led}`) })), clock];
}

/** @param {Session} session @param {Choice} preview @param {Namer} name */
function previewOutcome({ game }, preview, name) {
  const deal = dealOf(game);
  const lying = [...(deal?.table.map((play) => play.card) ?? []), preview.card];
  const change = (/** @type {number} */ seat) => preview.worths.reduce((sum, [who, colour, worth]) => (who === seat ? sum + worth - (deal?.piles[seat][colour].worth ?? 0) : sum), 0);
  const taken = { goliath: preview.goliath ?? 0, david: preview.david ?? 0, toDavid: preview.toDavid, toGoliath: lying.filter((card) => !preview.toDavid.includes(card)) };
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
    if (own.settings.confirm || ui.hover === card) return;
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
    tap,
    preview: hover,
    unpreview: () => hover(null),
    focused: (card) => {
      ui.focus = card;
      hover(card);
    },
  });
}
