// The course of a deal: what the seat's position was worth after each card, with all hands open. What its own cards did
// is drawn thick. Screen readers have a table.

import { h } from "../base/dom.js";
import { capital, t } from "../base/texts.js";
import { gridOf } from "../ui/chart.js";
import { change } from "./numbers.js";

const LEFT = 34;
const RIGHT = 12;
const TOP = 16;
const BOTTOM = 26;
const MARK = 9;

/**
 * @param {number[]} steps  after the deal, and after each card
 * @param {number} players
 * @param {Set<number>} own  which cards were the seat's, counted from 1
 * @param {Map<number, string>} marks  by card: what stands there
 * @param {number} width  in pixels, so that letters keep their size
 * @param {number} height
 */
export function course(steps, players, own, marks, width, height) {
  const grid = gridOf(Math.min(0, ...steps), Math.max(0, ...steps));
  const [lowest, highest] = [grid[0], grid[grid.length - 1]];
  const tricks = Math.round((steps.length - 1) / players);
  const x = (/** @type {number} */ at) => LEFT + ((width - LEFT - RIGHT) * at) / (steps.length - 1);
  const y = (/** @type {number} */ value) =>
    TOP + ((height - TOP - BOTTOM) * (highest - value)) / Math.max(1, highest - lowest);
  const dot = (/** @type {number} */ at) => `${x(at).toFixed(1)} ${y(steps[at]).toFixed(1)}`;
  const every = Math.ceil((tricks * 22) / (width - LEFT - RIGHT));
  return h(
    "figure",
    { class: "charted course" },
    h(
      "svg",
      { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
      grid.map((value) =>
        h(
          "g",
          { class: value ? "" : "zero" },
          h("path", { class: "grid", d: `M${LEFT} ${y(value)}H${width - RIGHT}` }),
          h(
            "text",
            { class: "ax", x: LEFT - 7, y: y(value) + 4, "text-anchor": "end" },
            value ? change(value, 0) : "0",
          ),
        ),
      ),
      Array.from({ length: tricks }, (_, trick) => trick + 1)
        .filter((trick) => trick % every === 0 || trick === 1)
        .map((trick) =>
          h("text", { class: "ax", x: x((trick - 0.5) * players), y: height - 8, "text-anchor": "middle" }, trick),
        ),
      h("path", { class: "way-of", d: `M${steps.map((_, at) => dot(at)).join("L")}` }),
      h("path", { class: "own", d: [...own].map((at) => `M${dot(at - 1)}L${dot(at)}`).join("") || "M0 0" }),
      h("circle", { class: "end", cx: x(steps.length - 1), cy: y(steps[steps.length - 1]), r: 4 }),
      spread([...marks].map(([at, text]) => ({ text, x: x(at - 0.5), ends: [y(steps[at - 1]), y(steps[at])] }))).map(
        ({ text, x, y }) =>
          h(
            "g",
            { class: "mark", key: text },
            h("circle", { cx: x, cy: y, r: MARK }),
            h("text", { x, y: y + 4, "text-anchor": "middle" }, text),
          ),
      ),
    ),
    table(steps, players, tricks),
  );
}

/**
 * Marks over the steps that they speak of, or under them, so that none covers another.
 * @param {{ text: string, x: number, ends: number[] }[]} marks
 */
function spread(marks) {
  /** @type {{ text: string, x: number, y: number }[]} */
  const placed = [];
  for (const { text, x, ends } of marks) {
    const isFree = (/** @type {number} */ y) =>
      placed.every((other) => Math.hypot(x - other.x, y - other.y) > 2 * MARK);
    const [above, below] = [Math.min(...ends) - MARK - 6, Math.max(...ends) + MARK + 6];
    const least = MARK + 1;
    const ways = [above, below, above - 2 * MARK - 1, below + 2 * MARK + 1, above - 4 * MARK - 2];
    placed.push({ text, x, y: ways.find((y) => y >= least && isFree(y)) ?? Math.max(least, above) });
  }
  return placed;
}

/** @param {number[]} steps @param {number} players @param {number} tricks */
function table(steps, players, tricks) {
  const row = (/** @type {string} */ name, /** @type {number} */ at) =>
    h("tr", { key: at }, h("th", { scope: "row" }, name), h("td", null, change(steps[at])));
  return h(
    "table",
    { class: "vh" },
    h("caption", null, t("study.page.course")),
    h(
      "tbody",
      null,
      row(capital(t("study.ledger.dealt")), 0),
      Array.from({ length: tricks }, (_, place) =>
        row(t("page.trick_number", { number: place + 1 }), (place + 1) * players),
      ),
    ),
  );
}
