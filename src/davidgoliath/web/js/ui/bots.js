// The bots of this server as people meet them: a stone for each level, its name and its character.

import { ask } from "../base/api.js";
import { h } from "../base/dom.js";
import { APART, OFFER } from "../base/facts.js";
import { draw } from "../base/router.js";
import { has, t } from "../base/texts.js";
import { offered } from "../base/transport.js";
import { rove, stone } from "./pieces.js";

/** From the weakest to the strongest: who plays better looks mightier. */
const MIGHT = [2, 6, 10, 14, 18];
const MIX = [2, 10, 18];

/** What this server offers; until it has said so, what nearly every server does. */
export const offer = { ...OFFER, ...offered };
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
export const stoneOf = (place) => MIGHT[Math.round(((MIGHT.length - 1) * place) / Math.max(1, levels().length - 1))];

/** The stone of a bot; of one beside the ladder, a small one. @param {string} bot */
export const levelStone = (bot) => (levels().includes(bot) ? stoneOf(levels().indexOf(bot)) : 4);

/** @param {string} bot */
export const botName = (bot) => (has(`page.bot.${bot}`) ? t(`page.bot.${bot}`) : bot);

/** A bot by name and level: "Slate, a Pebble". @param {string} name @param {string} bot */
export const botTitle = (name, bot) =>
  has(`page.bot_a.${bot}`) ? t("page.bot_is", { name, level: t(`page.bot_a.${bot}`) }) : `${name} (${bot})`;

/** Its temperament, in a sentence. @param {string} bot */
export const character = (bot) => (has(`bot.${bot}`) ? t(`bot.${bot}`) : "");

/** The choice of bots of all levels. */
const MIXED = "mixed";

/** What can be chosen for several bots, if the wished one is there. @param {string} wish */
export const mixFor = (wish) => (wish === MIXED && levels().length > 1 ? MIXED : levelFor(wish));

/** So many bots: of the wished level, or of all of them, spread evenly. @param {string} wish @param {number} count */
export function botsFor(wish, count) {
  const all = levels();
  const far = (/** @type {number} */ place) => (count > 1 ? place / (count - 1) : 0.5);
  return Array.from({ length: count }, (_, place) =>
    mixFor(wish) === MIXED ? all[Math.round((all.length - 1) * far(place))] : levelFor(wish),
  );
}

/**
 * A choice of a bot. The sentences about all of them lie on each other, so that nothing jumps when another is chosen.
 * @param {string} label
 * @param {string} chosen
 * @param {(bot: string) => void} choose
 * @param {boolean} [mixes]  for several bots: they may differ
 */
export function botPicker(label, chosen, choose, mixes = false) {
  const bots = [...levels(), ...(mixes && mixFor(MIXED) === MIXED ? [MIXED] : [])];
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
        bots.map((bot) => {
          const value = bot === MIXED ? 14 : levelStone(bot);
          const looks = bot === chosen ? "Y" : "grey";
          const props = {
            type: "button",
            class: bot === MIXED ? "mixed" : null,
            key: bot,
            "aria-pressed": String(bot === chosen),
            tabindex: bot === (bots.includes(chosen) ? chosen : bots[0]) ? "0" : "-1",
            "aria-label": botName(bot),
            title: botName(bot),
          };
          return h(
            "button",
            { ...props, style: { "--size": `${24 + value}px` }, on: { click: () => choose(bot) } },
            bot === MIXED ? MIX.map((one) => stone(one, looks)) : stone(value, looks),
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
          ` ${character(bot)}`,
        ),
      ),
    ),
  );
}
