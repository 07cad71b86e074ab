// Points of a study, as the reader writes numbers.

import { language } from "../base/texts.js";

const MINUS = "−";

/** @param {number} value @param {number} [digits] behind the point */
export const points = (value, digits = 1) =>
  new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .format(value)
    .replace("-", MINUS);

/** With its sign. @param {number} value @param {number} [digits] */
export function change(value, digits = 1) {
  const shown = points(Math.abs(value), digits);
  const isNothing = Number(Math.abs(value).toFixed(digits)) === 0;
  return (isNothing ? "±" : value < 0 ? MINUS : "+") + shown;
}

/** @param {number} share of one */
export const percent = (share) => new Intl.NumberFormat(language(), { style: "percent" }).format(share);
