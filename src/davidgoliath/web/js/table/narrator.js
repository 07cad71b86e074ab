// The narrator: one sentence at a time about what goes on, and the story of the tricks so far.

import { COLOURS, cardColour, cardValue } from "../base/cards.js";
import { h } from "../base/dom.js";
import { rich, t } from "../base/texts.js";
import { viewport } from "../base/viewport.js";
import { chip, role } from "../ui/pieces.js";

/**
 * @typedef {import("./game.js").Trick} Trick
 * @typedef {import("../base/dom.js").Inner} Inner
 * @typedef {import("../base/dom.js").Child} Child
 */

/** @param {number} change */
export const signed = (change) => (change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "±0");

/** What a seat gained or lost by a trick. @param {Trick} trick @param {number} seat */
export function gain(trick, seat) {
  return trick.cells.reduce(
    (sum, cell, place) => (cell.seat === seat ? sum + cell.worth - trick.before[place].worth : sum),
    0,
  );
}

/** Why a trick went as it did. @param {Trick} trick @param {(seat: number) => string} name */
export function why(trick, name) {
  if (trick.goliath === trick.david) return t("page.why_sweep", { goliath: name(trick.goliath) });
  if (trick.tie === "all") return t("page.why_all_equal", { goliath: name(trick.goliath), david: name(trick.david) });
  const key = trick.tie ? `page.why_tie_${trick.tie}` : "page.why";
  return t(key, { goliath: name(trick.goliath), david: name(trick.david) });
}

/** So many cards are shown one by one. */
const most = () => (viewport.wide < 430 || (viewport.wide < 700 && viewport.wide > viewport.high) ? 2 : 3);

/**
 * Who takes what, as two pills with names, cards and points.
 * @param {{ goliath: number, david: number, toGoliath: string[], toDavid: string[] }} taken
 * @param {(seat: number) => string} name
 * @param {(seat: number) => number} change
 */
export function outcome({ goliath, david, toGoliath, toDavid }, name, change) {
  const place = (/** @type {string} */ card) => 100 * COLOURS.indexOf(cardColour(card)) + cardValue(card);
  const one = (/** @type {"david" | "goliath"} */ who, /** @type {number} */ seat, /** @type {string[]} */ cards) =>
    h(
      "span",
      { key: who },
      role(who),
      " ",
      h("b", null, name(seat)),
      " ",
      cards.length > most()
        ? t("page.cards", { count: cards.length })
        : [...cards].sort((one, other) => place(one) - place(other)).map(chip),
      " ",
      h("b", null, signed(change(seat))),
    );
  return h(
    "span",
    { class: "outs" },
    david !== goliath && one("david", david, toDavid),
    one("goliath", goliath, david === goliath ? [...toGoliath, ...toDavid] : toGoliath),
  );
}

/**
 * A finished trick in sentences, with its cards.
 * @param {Trick} trick
 * @param {(seat: number) => string} name
 * @param {number | null} me
 * @returns {Child[]}
 */
export function storyLine(trick, name, me) {
  const tell = (/** @type {string} */ key, /** @type {number} */ seat, /** @type {Record<string, Child[]>} */ more) =>
    rich(seat === me ? `${key}_you` : key, {
      name: h("b", null, name(seat)),
      card: chip(trick.plays.find((play) => play.seat === seat)?.card ?? ""),
      points: h("b", null, signed(gain(trick, seat))),
      ...more,
    });
  if (trick.goliath === trick.david) return tell("page.story_sweep", trick.goliath, {});
  return [
    ...tell("page.story_goliath", trick.goliath, { count: [String(trick.toGoliath.length)] }),
    " ",
    ...tell("page.story_david", trick.david, { prize: trick.toDavid.map(chip) }),
  ];
}

/** The bar above the hand. @param {Inner} text @param {Inner} [act] @param {string} [key] */
export function sayBar(text, act, key) {
  return h(
    "section",
    { class: "say", "data-say": key },
    h("div", { class: "text", role: key === "thinking" || key === "missed" ? null : "status" }, text),
    act,
  );
}
