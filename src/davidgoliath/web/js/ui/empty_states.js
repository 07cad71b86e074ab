// Where there is nothing to show: an address that isn't ours, a line that is dead. A grey pebble sleeps there.

import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { frame } from "./frame.js";
import { button } from "./pieces.js";

/** @typedef {import("../base/dom.js").Inner} Inner */

const BODY =
  "M95 66c-1 9-7 17-17 20-9 3-24 4-35 3-12-1-24-4-30-12-6-7-6-18-1-26 5-9 15-17 27-21 12-5 28-5 39 1 12 6 18 22 17 35Z";
const SHADE =
  "M95 62c2 12-6 21-17 24-9 3-24 4-35 3-12-1-24-4-30-12-3-4-5-9-4-14 5 8 14 13 25 15 13 2 29 2 40-2 9-3 17-7 21-14Z";
const LIGHT = "M16 50c4-8 12-15 22-19 5-2 11-3 16-3-8 4-15 8-21 13-6 4-11 6-17 9Z";
const LINES = "M31 62q8 6 16 0M62 60q8 6 16 0M29 49q8-3 15 0M63 47q8-3 14 1M50 75q6 3 12-1";
const BREATH = ["M92 25h6l-6 7h6", "M97 12h8l-8 9h8", "M106 0h10l-10 11h10"];

/** A grey pebble, asleep. */
export function asleep() {
  return h(
    "svg",
    {
      class: "asleep grey",
      viewBox: "0 -4 122 102",
      "aria-hidden": "true",
      fill: "none",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    },
    h("ellipse", { cx: 54, cy: 91, rx: 48, ry: 5, fill: "var(--shade)", "fill-opacity": 0.35 }),
    h("path", { d: BODY, fill: "var(--stone)" }),
    h("path", { d: SHADE, fill: "var(--shade)" }),
    h("path", { d: LIGHT, fill: "var(--light)" }),
    h("path", { d: BODY, stroke: "var(--line)", "stroke-width": 3.6 }),
    h("path", { d: LINES, stroke: "var(--line)", "stroke-width": 3 }),
    BREATH.map((d) => h("path", { class: "breath", d, stroke: "var(--text-2)", "stroke-width": 2.4 })),
  );
}

/** Nothing here, and what to do about it. @param {string} headline @param {string} sentence @param {Inner} act */
export const nothing = (headline, sentence, act) =>
  h("section", { class: "nothing" }, asleep(), h("h2", null, headline), h("p", { class: "quiet" }, sentence), act);

/** No line to the server. @param {string} sentence @param {() => void} again */
export const offline = (sentence, again) =>
  nothing(t("page.offline_headline"), sentence, button(t("page.again"), again, { class: "act" }));

/** A page that isn't there, and why. @param {string} sentence */
export const nowhere = (sentence) =>
  frame(
    t("page.title"),
    nothing(t("page.lost_headline"), sentence, h("a", { class: "btn act", href: "/" }, t("page.home"))),
    { kind: "lost" },
  );

/** An address that isn't ours. @type {import("../base/router.js").Page} */
export const notFound = { title: () => t("page.lost_headline"), view: () => nowhere(t("page.lost_sentence")) };
