// What stands over the cards of a hand: a star over the best one, and what each of the others costs.

import { t } from "../base/texts.js";
import { change, points } from "./numbers.js";

/** @typedef {{ text: string, says: string, kind: string }} Mark */

export const STAR = "★";

/** @param {import("./study.js").Choice} choice @returns {Map<string, Mark>} */
export const marksOf = (choice) =>
  new Map(
    choice.cards.map(({ card, loss, loss_low: low, loss_high: high }) => [
      card,
      card === choice.best
        ? { text: STAR, says: t("study.page.best"), kind: "best" }
        : {
            text: change(-loss),
            says: t("study.page.costs", { points: points(loss), low: points(low), high: points(high) }),
            kind: card === choice.played ? "played" : "",
          },
    ]),
  );
