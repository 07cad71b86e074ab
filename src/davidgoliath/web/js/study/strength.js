// How strong that was: the points lost per choice, beside those of the ladder's bots.

import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { botName, levelStone, levels } from "../ui/bots.js";
import { stone } from "../ui/pieces.js";
import { points } from "./numbers.js";

/** @typedef {{ value: number, low: number, high: number }} Estimate */

/**
 * Where on the ladder so many points lost a choice are: 0 at its first rung, 1 at the second, and between them in
 * between.
 * @param {number} lost @param {number[]} rungs  what each level loses, less and less
 */
export function height(lost, rungs) {
  const above = rungs.findIndex((rung) => rung <= lost);
  if (above === 0) return 0;
  if (above < 0) return rungs.length - 1;
  const [worse, better] = [rungs[above - 1], rungs[above]];
  return above - (lost - better) / Math.max(1e-9, worse - better);
}

/**
 * The strongest level that is surely weaker, as all below it are, and the weakest that is surely stronger, as all
 * above.
 * @param {Estimate} lost @param {string[]} rungs @param {Record<string, number>} ladder
 */
function surely({ low, high }, rungs, ladder) {
  const first = rungs.findIndex((level) => ladder[level] <= high);
  const last = rungs.findLastIndex((level) => ladder[level] >= low);
  return [rungs[(first < 0 ? rungs.length : first) - 1], rungs[last + 1]];
}

/**
 * @param {Estimate} lost  per choice
 * @param {Record<string, number>} ladder  what each level loses
 */
export function strength(lost, ladder) {
  const rungs = levels().filter((level) => level in ladder);
  if (rungs.length < 2) return null;
  const losses = rungs.map((level) => ladder[level]);
  const at = (/** @type {number} */ value) => `${(100 * (0.5 + height(value, losses))) / rungs.length}%`;
  const [lower, upper] = surely(lost, rungs, ladder).map((level) => level && botName(level));
  const says =
    lower && upper
      ? t("study.page.strength_between", { lower, upper })
      : lower
        ? t("study.page.strength_above", { name: lower })
        : upper
          ? t("study.page.strength_below", { name: upper })
          : t("study.page.strength_unsure");
  return [
    h("p", { class: "says" }, says),
    h(
      "div",
      { class: "scale", "aria-hidden": "true" },
      h("i", { class: "range", style: { left: at(lost.high), right: `calc(100% - ${at(lost.low)})` } }),
      h("i", { class: "here", style: { left: at(lost.value) } }),
      h(
        "ol",
        null,
        rungs.map((level) =>
          h(
            "li",
            { key: level, style: { "--size": `${20 + levelStone(level)}px` } },
            stone(levelStone(level), "grey"),
            h("small", null, botName(level)),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      t("study.page.lost_per_choice", {
        points: points(lost.value, 2),
        low: points(Math.max(0, lost.low), 2),
        high: points(lost.high, 2),
      }),
    ),
  ];
}
