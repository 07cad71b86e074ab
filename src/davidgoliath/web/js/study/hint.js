// A hint: which card to play, and why rather than the next best one.

import { h } from "../base/dom.js";
import { rich, t } from "../base/texts.js";
import { chip } from "../ui/pieces.js";
import { change } from "./numbers.js";
import { reasonList } from "./reasons.js";

/**
 * @param {import("../base/protocol").Advice} advice
 * @param {(seat: number) => string} name
 */
export function advice({ best, instead, cards, reasons }, name) {
  const other = cards.find(({ card }) => card === instead);
  const isSure = other && (reasons.length > 0 || other.loss_low > 0);
  return [
    h(
      "b",
      { class: "verdict" },
      other
        ? rich(isSure ? "study.page.hint" : "study.page.hint_close", { best: chip(best), other: chip(other.card) })
        : chip(best),
      isSure && ` ${change(other.loss)}`,
    ),
    reasonList(reasons, name, other?.loss ?? 0),
    h("small", { class: "quiet" }, t("study.page.hint_marked")),
  ];
}
