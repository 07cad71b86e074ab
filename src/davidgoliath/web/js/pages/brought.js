// Whoever comes from a static site for a table with friends brings name and settings along, behind `#`. Anyone can make
// such a link: so what doesn't fit is left out, and whoever has settings of their own here is asked first.

import { h } from "../base/dom.js";
import { LONGEST_NAME } from "../base/facts.js";
import { beSomeone, whatFailed } from "../base/person.js";
import { draw, go } from "../base/router.js";
import { CHOICES, keep, keeps, stored } from "../base/storage.js";
import { loadTexts, t } from "../base/texts.js";
import { trouble } from "../ui/forms.js";
import { applyTheme, frame } from "../ui/frame.js";
import { button } from "../ui/pieces.js";

/** @typedef {{ name: string, settings: Record<string, unknown> }} Brought */

const ASKING = "/brought";

/** @type {Brought | null} what is asked about */
let brought = null;
let failed = "";

/** Takes what a link brings; whether it is to be asked about. @param {string} text */
export async function takeBrought(text) {
  const found = read(text);
  if (!found) return false;
  if (keeps()) {
    if (!differs(found)) return false;
    brought = found;
    history.replaceState({}, "", ASKING);
    return true;
  }
  if (found.name) stored.name = found.name;
  await wear(found);
  return false;
}

/** @param {string} text @returns {Brought | null} */
function read(text) {
  try {
    const { name, settings } = JSON.parse(decodeURIComponent(text));
    const fitting = Object.keys(stored.settings).filter((key) => fits(key, settings?.[key]));
    const isName = typeof name === "string" && [...name].length <= LONGEST_NAME;
    return { name: isName ? name : "", settings: Object.fromEntries(fitting.map((key) => [key, settings[key]])) };
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
function fits(key, value) {
  const choices = CHOICES[/** @type {"theme"} */ (key)];
  return choices ? choices.includes(value) : typeof value === "boolean";
}

/** @param {Brought} found */
const differs = ({ name, settings }) =>
  (name && name !== stored.name) ||
  Object.entries(settings).some(([key, value]) => value !== Object(stored.settings)[key]);

/** @param {Brought} found */
async function wear({ settings }) {
  Object.assign(stored.settings, settings);
  keep();
  applyTheme();
  await loadTexts();
}

/** @type {import("../base/router.js").Page} */
export const page = {
  enter() {
    failed = "";
    if (!brought) leave();
  },
  title: () => t("page.friends"),
  view: () => frame(t("page.friends"), brought && question(brought), { kind: "arrival" }),
};

/** @param {Brought} found */
const question = (found) =>
  h(
    "section",
    { class: "box stack", role: "group", "aria-labelledby": "brought" },
    h("h2", { id: "brought" }, t("page.brought", { name: found.name || t("page.guest") })),
    failed && trouble(failed),
    h(
      "p",
      { class: "acts" },
      button(t("page.brought_keep"), leave, { class: "act" }),
      button(t("page.brought_take"), () => take(found)),
    ),
  );

/** @param {Brought} found */
async function take(found) {
  try {
    if (found.name) await beSomeone(found.name);
    await wear(found);
    leave();
  } catch (refused) {
    failed = whatFailed(refused);
    draw();
  }
}

function leave() {
  brought = null;
  go("/friends", { replace: true });
}
