// Choices that cost something: what was played, what was better, what it cost, and why.

import { h } from "../base/dom.js";
import { rich, t } from "../base/texts.js";
import { cardPicture, chip } from "../ui/pieces.js";
import { change, points } from "./numbers.js";
import { reasonList } from "./reasons.js";

/**
 * @typedef {import("./study.js").Choice} Choice
 * @typedef {import("./study.js").Costly} Costly
 * @typedef {(costly: Costly) => import("../base/dom.js").Props} Way  a link to the position
 */

/** So many are told in words. */
export const MOST = 3;

/** In which trick, and of which deal where there are several. @param {Costly} costly @param {boolean} several */
export const where = ({ seen, choice: { trick } }, several) =>
  several ? t("study.page.where", { deal: seen.deal, trick }) : t("page.trick_number", { number: trick });

/** What a choice cost, and between what. @param {Choice} choice */
export const cost = ({ loss, low, high }) =>
  h(
    "b",
    { class: "loss", title: t("study.page.between", { low: points(low), high: points(high) }) },
    change(-loss),
    h("span", { class: "vh" }, ` ${t("page.points_short")}`),
  );

/**
 * What was played, and what was better: by what reasons add up to.
 * @param {Choice} choice @param {boolean} mine @param {string} name
 */
export const instead = ({ played, best, loss }, mine, name) =>
  rich(mine ? "study.page.instead_you" : "study.page.instead", {
    name: h("b", null, name),
    played: chip(played),
    best: [chip(best), ` (${change(loss)})`],
  });

/**
 * One of the costliest, in words.
 * @param {Costly} costly @param {boolean} several  deals @param {(seat: number) => string} name
 * @param {boolean} mine @param {Way} way
 */
export function told(costly, several, name, mine, way) {
  const { seen, choice } = costly;
  return h(
    "li",
    { key: `${seen.deal} ${choice.trick}`, class: "costly" },
    h(
      "div",
      { class: "pair", "aria-hidden": "true" },
      cardPicture(choice.played, { class: "was" }),
      cardPicture(choice.best, { class: "better" }),
    ),
    h(
      "div",
      { class: "words" },
      h("h3", null, where(costly, several), cost(choice)),
      h("p", null, instead(choice, mine, name(seen.seat))),
      reasonList(choice.reasons, name, choice.loss),
      h("a", way(costly), t("study.page.look"), h("span", { class: "vh" }, `: ${where(costly, several)}`)),
    ),
  );
}

/**
 * In a line each, numbered.
 * @param {Costly[]} all @param {boolean} several  deals @param {Way} way
 * @param {(costly: Costly, place: number) => import("../base/dom.js").Inner} [end]  of the line
 */
export const listed = (all, several, way, end = ({ choice }) => cost(choice)) =>
  h(
    "ol",
    { class: "log errors" },
    all.map((costly, place) =>
      h(
        "li",
        { key: place },
        h(
          "a",
          way(costly),
          h("span", { class: "no" }, place + 1),
          h(
            "span",
            null,
            where(costly, several),
            " ",
            chip(costly.choice.played),
            h("span", { "aria-hidden": "true" }, " → "),
            h("span", { class: "vh" }, ` ${t("study.page.better")} `),
            chip(costly.choice.best),
            h("span", { class: "quiet" }, " ", t(`study.grade.${costly.choice.grade}`)),
          ),
          end(costly, place),
        ),
      ),
    ),
  );
