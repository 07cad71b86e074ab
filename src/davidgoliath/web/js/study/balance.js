// How a result came about: three parts that add up to it, each beginning where the one before it ended.

import { h } from "../base/dom.js";
import { capital, t } from "../base/texts.js";
import { change } from "./numbers.js";

/** @typedef {{ dealt: number, own: number, others: number, result: number }} Parts */

/** As it is printed. @param {number} value */
const rounded = (value) => Math.round(10 * value) / 10;

/** @param {Parts} parts @param {string} whose  of whom: for the words of the second part */
export function balance(parts, whose) {
  const [dealt, own, result] = [parts.dealt, parts.own, parts.result].map(rounded);
  const others = result - dealt - own; // what is printed adds up, too
  const rows = [
    { name: t("study.ledger.dealt"), from: 0, to: dealt },
    { name: whose, from: dealt, to: dealt + own },
    { name: t("study.ledger.others"), from: dealt + own, to: dealt + own + others },
    { name: t("study.ledger.result"), from: 0, to: result },
  ];
  const ends = rows.flatMap(({ from, to }) => [from, to]);
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const at = (/** @type {number} */ value) => `${(100 * (value - least)) / Math.max(1, most - least)}%`;
  return h(
    "dl",
    { class: "balance", style: { "--zero": at(0) } },
    rows.map(({ name, from, to }, place) =>
      h(
        "div",
        { key: place, class: place === rows.length - 1 ? "whole" : "" },
        h("dt", null, capital(name)),
        h(
          "dd",
          null,
          h(
            "span",
            { class: "track", "aria-hidden": "true" },
            h("i", {
              class: to < from ? "loss" : "",
              style: {
                left: at(Math.min(from, to)),
                right: `calc(100% - ${at(Math.max(from, to))})`,
              },
            }),
          ),
          h("b", null, change(to - from)),
        ),
      ),
    ),
  );
}
