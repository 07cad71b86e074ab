// The bots of this server as people meet them: a stone for each level, its name and its character.

import { ask } from "../base/api.js";
import { h } from "../base/dom.js";
import { APART, OFFER } from "../base/facts.js";
import { draw } from "../base/router.js";
import { has, t } from "../base/texts.js";
import { rove, stone } from "./pieces.js";

const BIGGEST = 18;

/** What this server offers; until it has said so, what nearly every server does. */
export const offer = { ...OFFER };
/** @type {Promise<void> | null} */
let asked = null;

/** Asks, once, what this server offers; where that fails, again next time. */
export function learnOffer() {
  asked ??= ask("GET /api/server").then(
    (told) => {
      Object.assign(offer, told);
      draw();
    },
    () => {
      asked = null;
    },
  );
  return asked;
}

/** The bots to choose from, from the weakest to the strongest: those for company, if there are any. */
export function levels() {
  const company = offer.bots.filter((bot) => !APART.includes(bot));
  return company.length ? company : offer.bots;
}

/** The level that is there, if the wished one isn't. @param {string} wish */
export const levelFor = (wish) => (levels().includes(wish) ? wish : (levels()[1] ?? levels()[0]));

/** How large the stone of a level is, from 2 to 18. @param {number} place among the levels */
export const stoneOf = (place) => 2 + Math.round(((BIGGEST - 2) * place) / Math.max(1, levels().length - 1));

/** @param {string} bot */
export const botName = (bot) => (has(`page.bot.${bot}`) ? t(`page.bot.${bot}`) : bot);

/**
 * A choice of a bot. The sentences about all of them lie on each other, so that nothing jumps when another one is chosen.
 * @param {string} label
 * @param {string} chosen
 * @param {(bot: string) => void} choose
 */
export function botPicker(label, chosen, choose) {
  const bots = levels();
  return h(
    "div",
    { class: "bots" },
    h(
      "div",
      { class: "opt" },
      h("span", { "aria-hidden": "true" }, label),
      h(
        "div",
        { class: "row-of-bots", role: "group", "aria-label": label, on: { keydown: rove } },
        bots.map((bot, place) => {
          const value = stoneOf(place);
          const looks = bot === chosen ? "Y" : "grey";
          const props = {
            type: "button",
            key: bot,
            "aria-pressed": String(bot === chosen),
            tabindex: bot === (bots.includes(chosen) ? chosen : bots[0]) ? "0" : "-1",
            "aria-label": botName(bot),
            title: botName(bot),
          };
          return h(
            "button",
            { ...props, style: { "--size": `${24 + value}px` }, on: { click: () => choose(bot) } },
            stone(value, looks),
          );
        }),
      ),
    ),
    h(
      "p",
      { class: "characters" },
      bots.map((bot) =>
        h(
          "span",
          { key: bot, class: bot === chosen ? "" : "unseen", "aria-hidden": bot !== chosen && "true" },
          h("b", null, botName(bot)),
          has(`bot.${bot}`) && ` ${t(`bot.${bot}`)}`,
        ),
      ),
    ),
  );
}
