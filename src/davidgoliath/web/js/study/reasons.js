// Why a card is better than another, in words. Which sentence it is, the program says (`study/wording.py`); here its
// cards become cards.

import { h } from "../base/dom.js";
import { capital, rich, t } from "../base/texts.js";
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
 * @param {string} name @param {string | number} value @param {Namer} names
 */
function shown(name, value, names) {
  if (name === "colour" || name === "colours") return t(`study.${name}.${value}`);
  if (name === "often" || name === "less") {
    const key = `study.${name === "less" ? "other" : name}`;
    const sure = SURE[Number(value)];
    return sure ? t(`${key}.${sure}`) : t(`${key}.some`, { count: value });
  }
  if (name === "name") return h("b", null, names(Number(value)));
  return typeof value === "string" ? chip(value) : String(value);
}

/** A reason as a sentence. @param {Why} why @param {Namer} names @returns {Child[]} */
export function worded({ key = "", arguments: values = {} }, names) {
  const [first, ...rest] = rich(
    key,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(name, value, names)])),
  );
  return [typeof first === "string" ? capital(first) : first, ...rest];
}

/** @param {Why[]} reasons @param {Namer} names */
export const reasonList = (reasons, names) =>
  reasons.length > 0 &&
  h(
    "ul",
    { class: "reasons" },
    reasons.map((why, place) =>
      h("li", { key: place }, h("span", null, worded(why, names)), " ", h("b", null, change(why.points))),
    ),
  );
