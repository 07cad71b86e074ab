// The ladder: whoever has beaten a level lights its stone. What counts as a win, the server says.

import { h } from "../base/dom.js";
import { keep, stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { botName, levels, stoneOf } from "./bots.js";
import { stone } from "./pieces.js";

const isBeaten = (/** @type {string} */ level) => (stored.beaten ?? []).includes(level);

/**
 * The level that a win over these bots is worth: that of the weakest.
 * @param {(string | null)[]} bots  at the other seats
 */
const worth = (bots) =>
  bots.every((bot) => bot && levels().includes(bot)) ? levels().find((level) => bots.includes(level)) : undefined;

/** A win that counts: the level whose stone it has lit, if that is a new one. @param {(string | null)[]} bots */
export function noteWin(bots) {
  const level = worth(bots);
  if (!level || isBeaten(level)) return null;
  stored.beaten = [...(stored.beaten ?? []), level];
  keep();
  return level;
}

/** All levels, from the weakest to the strongest, and which is next. */
export function ladder() {
  const next = levels().find((level) => !isBeaten(level));
  return h(
    "section",
    { class: "way wide ladder", "aria-label": t("page.ladder") },
    h(
      "div",
      null,
      h("b", null, t("page.ladder")),
      h("span", null, next ? t("page.ladder_next", { name: botName(next) }) : t("page.ladder_done")),
    ),
    h(
      "ol",
      null,
      levels().map((level, place) =>
        h(
          "li",
          { key: level, class: isBeaten(level) ? "lit" : "", style: { "--size": `${22 + stoneOf(place)}px` } },
          stone(stoneOf(place), isBeaten(level) ? "Y" : "grey"),
          h(
            "span",
            { class: "vh" },
            t(isBeaten(level) ? "page.ladder_lit" : "page.ladder_dark", { name: botName(level) }),
          ),
        ),
      ),
    ),
  );
}
