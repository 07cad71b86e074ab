// A hint: which card to play, and why rather than the next best one.

import { h } from "../base/dom.js";
import { rich, t } from "../base/texts.js";
import { chip } from "../ui/pieces.js";
import { reasonList } from "./reasons.js";

/**
 * @param {import("../base/protocol").Advice} advice
 * @param {(seat: number) => string} name
 */
export const advice = ({ best, instead, cards, reasons }, name) => [
  h(
    "span",
    { class: "head" },
    instead
      ? rich("study.page.hint", { best: chip(best), other: chip(instead) })
      : rich("study.page.hint_alone", { best: chip(best) }),
  ),
  reasonList(reasons, name, cards.find(({ card }) => card === instead)?.loss ?? 0),
  h("small", { class: "quiet" }, t("study.page.hint_marked")),
];
