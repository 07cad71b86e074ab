// How a figure went over time, with what it lies between. Screen readers have a table.

import { h } from "../base/dom.js";
import { points } from "./numbers.js";

/** @typedef {{ name: string, value: number, low: number, high: number }} Step */

const LEFT = 34;
const RIGHT = 20;
const TOP = 12;
const BOTTOM = 26;
const SIZES = [0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** @param {string} title @param {Step[]} steps @param {number} width @param {number} height */
export function trend(title, steps, width, height) {
  const most = Math.max(...steps.map(({ value }) => value)) * 1.5;
  const size = SIZES.find((one) => most / one <= 4) ?? 10;
  const top = Math.ceil(most / size) * size;
  const x = (/** @type {number} */ at) => LEFT + ((width - LEFT - RIGHT) * at) / (steps.length - 1);
  const y = (/** @type {number} */ value) =>
    height - BOTTOM - ((height - TOP - BOTTOM) * Math.min(top, Math.max(0, value))) / top;
  const along = (/** @type {"value" | "low" | "high"} */ what, all = [...steps.entries()]) =>
    all.map(([at, step]) => `${x(at).toFixed(1)} ${y(step[what]).toFixed(1)}`).join("L");
  const every = Math.ceil((steps.length * 64) / (width - LEFT - RIGHT));
  return h(
    "figure",
    { class: "charted trend" },
    h(
      "svg",
      { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
      Array.from({ length: Math.round(top / size) + 1 }, (_, at) => at * size).map((value) =>
        h(
          "g",
          null,
          h("path", { class: "grid", d: `M${LEFT} ${y(value)}H${width - RIGHT}` }),
          h(
            "text",
            { class: "ax", x: LEFT - 7, y: y(value) + 4, "text-anchor": "end" },
            points(value, size < 0.1 ? 2 : 1),
          ),
        ),
      ),
      h("path", { class: "range", d: `M${along("high")}L${along("low", [...steps.entries()].reverse())}Z` }),
      h("path", { class: "own", d: `M${along("value")}` }),
      steps.map((step, at) => h("circle", { class: "end", cx: x(at), cy: y(step.value), r: 4 })),
      steps.map(
        (step, at) =>
          (steps.length - 1 - at) % every === 0 &&
          h(
            "text",
            { class: "ax", x: x(at), y: height - 8, "text-anchor": at === steps.length - 1 ? "end" : "middle" },
            step.name,
          ),
      ),
    ),
    h(
      "table",
      { class: "vh" },
      h("caption", null, title),
      h(
        "tbody",
        null,
        steps.map(({ name, value }) => h("tr", null, h("th", { scope: "row" }, name), h("td", null, points(value, 2)))),
      ),
    ),
  );
}
