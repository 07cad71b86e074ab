// Why a card is better than another, in words. Which sentence it is, the program says (`study/wording.py`); here its
// cards become cards.

import { h } from "../base/dom.js";
import { capital, rich, t } from "../base/texts.js";
import { nameOf } from "../table/game.js";
import { chip } from "../ui/pieces.js";
import { change } from "./numbers.js";

/**
 * @typedef {import("../base/protocol").Why} Why
 * @typedef {import("../base/dom.js").Child} Child
 * @typedef {(seat: number) => string} Namer
 */

/** @type {Record<number, string>} what isn't said as a number */
const SURE = { 0: "never", 100: "always" };

/**
 * What an argument is called says how it is shown.
 * @param {string} name @param {Record<string, string | number>} values @param {Namer} names
 */
function shown(name, values, names) {
  const value = values[name];
  if (name === "colour" || name === "colours") return t(`study.${name}.${value}`);
  if (name === "often" || name === "less") {
    const sure = SURE[Number(value)];
    const isShort = name === "less" && !SURE[Number(values.often)]; // of what has just been said
    return sure ? t(`study.often.${sure}`) : t(`study.often.${isShort ? "less" : "some"}`, { count: value });
  }
  if (name === "name") return h("b", null, names(Number(value)));
  return typeof value === "string" ? chip(value) : String(value);
}

/**
 * Names as everyone would say them: where “you” is somebody else.
 * @param {import("../table/game.js").Game} game @returns {Namer}
 */
export const nameForAll = (game) => (seat) => nameOf({ ...game, you: null }, seat, t);

/** A reason as a sentence. @param {Why} why @param {Namer} names @returns {Child[]} */
export function worded({ key = "", arguments: values = {} }, names) {
  const [first, ...rest] = rich(
    key,
    Object.fromEntries(Object.keys(values).map((name) => [name, shown(name, values, names)])),
  );
  return [typeof first === "string" ? capital(first) : first, ...rest];
}

/**
 * With what the better card gains by each, and by the rest of the deal.
 * @param {Why[]} reasons @param {Namer} names @param {number} loss of the other card
 */
export function reasonList(reasons, names, loss) {
  if (reasons.length === 0) return null;
  const rest = reasons.reduce((left, why) => left + why.points, loss);
  const row = (/** @type {string | number} */ key, /** @type {Child | Child[]} */ words, /** @type {number} */ gain) =>
    h("li", { key, class: key === "rest" ? key : "" }, h("span", null, words), " ", h("b", null, change(gain)));
  return h("ul", { class: "reasons" }, [
    ...reasons.map((why, place) => row(place, worded(why, names), -why.points)),
    row("rest", capital(t("study.rest")), rest),
  ]);
}
