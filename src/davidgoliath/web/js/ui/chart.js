// How totals grew: a line for each player, told apart by stroke and by the face and name at its end. Screen
// readers have the same numbers as a table.

import { h } from "../base/dom.js";
import { lookAddress } from "./pieces.js";

/**
 * @typedef {{ name: string, look: import("./pieces.js").Look, me: boolean, points: number[] }} Line
 *   after each step, from 0 on
 */

const LEFT = 34;
const TOP = 14;
const BOTTOM = 30;
const LETTER = 7.2;
const LONGEST_NAME = 11;
const APART = 17;
const FACE = 17;
const DASHES = ["7 4", "2 4", "11 3 2 3", "4 3", "14 4", "1 5"];

/**
 * @param {string} title
 * @param {string} step   what a step is called: deal, trick
 * @param {Line[]} lines
 * @param {number} width  in pixels, so that letters keep their size
 * @param {number} height
 */
export function chart(title, step, lines, width, height) {
  const steps = lines[0].points.length - 1;
  const right = 18 + FACE + LETTER * Math.min(LONGEST_NAME, Math.max(...lines.map((line) => line.name.length)));
  const grid = gridOf(0, Math.max(1, ...lines.flatMap((line) => line.points)));
  const x = (/** @type {number} */ at) => LEFT + ((width - LEFT - right) * at) / steps;
  const y = (/** @type {number} */ value) =>
    height - BOTTOM - ((height - TOP - BOTTOM) * value) / grid[grid.length - 1];
  const every = Math.ceil((steps * 26) / (width - LEFT - right));
  const marks = Array.from({ length: steps }, (_, at) => at + 1).filter(
    (at) => at === steps || (at % every === 0 && steps - at >= every), // none so close to the last that they touch
  );
  const dashes = [...DASHES];
  const drawn = lines
    .map((line) => ({ line, dash: line.me ? "" : (dashes.shift() ?? "") }))
    .sort((one, other) => Number(one.line.me) - Number(other.line.me));
  return h(
    "figure",
    { class: "charted" },
    h(
      "svg",
      { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
      grid.map((value) =>
        h(
          "g",
          null,
          h("path", { class: "grid", d: `M${LEFT} ${y(value)}H${width - right}` }),
          h("text", { class: "ax", x: LEFT - 7, y: y(value) + 4, "text-anchor": "end" }, value),
        ),
      ),
      marks.map((at) => h("text", { class: "ax", x: x(at), y: height - 9, "text-anchor": "middle" }, at)),
      drawn.map(({ line, dash }) =>
        h(
          "g",
          { class: line.me ? "run me" : "run" },
          h("path", {
            d: `M${line.points.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`,
            "stroke-dasharray": dash || null,
          }),
          line.points.map(
            (value, at) =>
              at > 0 &&
              (steps < 8 || at === steps) &&
              h("circle", { cx: x(at).toFixed(1), cy: y(value).toFixed(1), r: line.me ? 4.5 : 3.4 }),
          ),
        ),
      ),
      labels(lines, y, height - BOTTOM).map(({ line, at }) =>
        h(
          "g",
          null,
          h("image", { href: lookAddress(line.look), x: width - right + 8, y: at - 8, width: 16, height: 16 }),
          h("text", { class: line.me ? "me" : "", x: width - right + 11 + FACE, y: at + 4 }, clipped(line.name)),
        ),
      ),
    ),
    table(title, step, lines),
  );
}

/**
 * Round values from below the lowest to above the highest.
 * @param {number} lowest  0 or below @param {number} highest
 */
export function gridOf(lowest, highest) {
  const size = [5, 10, 20, 25, 50, 100, 200, 500].find((one) => (highest - lowest) / one <= 5) ?? 1000;
  const [first, last] = [Math.floor(lowest / size), Math.ceil(highest / size)];
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * size);
}

/**
 * Where names stand: at the end of their lines, but apart, and none below the ground.
 * @param {Line[]} lines
 * @param {(value: number) => number} y
 * @param {number} ground
 */
function labels(lines, y, ground) {
  const ends = lines
    .map((line) => ({ line, at: y(line.points[line.points.length - 1]) }))
    .sort((one, other) => one.at - other.at);
  for (const [place, end] of ends.entries()) if (place) end.at = Math.max(end.at, ends[place - 1].at + APART);
  for (let place = ends.length - 1, floor = ground; place >= 0; place--, floor -= APART)
    ends[place].at = Math.min(ends[place].at, floor);
  return ends;
}

/** @param {string} name */
const clipped = (name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);

/** @param {string} title @param {string} step @param {Line[]} lines */
function table(title, step, lines) {
  return h(
    "table",
    { class: "vh" },
    h("caption", null, title),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, step),
        lines.map((line) => h("th", { scope: "col" }, line.name)),
      ),
    ),
    h(
      "tbody",
      null,
      lines[0].points.slice(1).map((_, at) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, at + 1),
          lines.map((line) => h("td", null, line.points[at + 1])),
        ),
      ),
    ),
  );
}
