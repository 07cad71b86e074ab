// The choice of a stone of one's own: a form, and the colour of its rim.

import { ask } from "../base/api.js";
import { h } from "../base/dom.js";
import { FORMS, RIMS } from "../base/facts.js";
import { beSomeone } from "../base/person.js";
import { t } from "../base/texts.js";
import { lookAlone, rove } from "./pieces.js";

/** @typedef {import("../base/protocol").Stone} Stone */

/** Tells the server, which tells everyone at my tables. @param {Stone} stone @returns {Promise<Stone>} */
export async function chooseStone(stone) {
  await beSomeone();
  return ask("POST /api/me/stone", { body: stone });
}

/**
 * @param {Stone | null} chosen  none, until somebody chooses
 * @param {(stone: Stone) => void} choose
 */
export function stonePicker(chosen, choose) {
  const { form, rim } = chosen ?? { form: FORMS[0], rim: RIMS[0] };
  return h(
    "div",
    { class: "own-stone stack", role: "group", "aria-label": t("page.own_stone") },
    h("p", null, h("b", null, t("page.own_stone")), h("small", { class: "quiet" }, t("page.own_stone_hint"))),
    row("form", FORMS, chosen?.form, (one) => [{ form: one, rim }, `own-${one} ${rim}`], choose),
    row("rim", RIMS, chosen?.rim, (one) => [{ form, rim: one }, `own-${form} ${one}`], choose),
  );
}

/**
 * @template {string} Kind
 * @param {"form" | "rim"} name
 * @param {Kind[]} kinds
 * @param {Kind | undefined} chosen
 * @param {(kind: Kind) => [Stone, string]} made  the stone with it, and its look
 * @param {(stone: Stone) => void} choose
 */
function row(name, kinds, chosen, made, choose) {
  return h(
    "div",
    { class: "opt" },
    h("span", { "aria-hidden": "true" }, t(`page.${name}`)),
    h(
      "div",
      { class: "stones", role: "group", "aria-label": t(`page.${name}`), on: { keydown: rove } },
      kinds.map((kind) => {
        const [stone, look] = made(kind);
        const label = t(`page.${name}.${kind}`);
        return h(
          "button",
          {
            type: "button",
            key: kind,
            "aria-pressed": String(kind === chosen),
            tabindex: kind === (chosen ?? kinds[0]) ? "0" : "-1",
            "aria-label": label,
            title: label,
            on: { click: () => choose(stone) },
          },
          lookAlone(look),
        );
      }),
    ),
  );
}
