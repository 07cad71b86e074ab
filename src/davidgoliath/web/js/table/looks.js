// How those at a table look, and what they say without words: people have stones of their own, and bots are stones as
// old as their level is strong, of what they are called after.

import { h } from "../base/dom.js";
import { STONES } from "../base/facts.js";
import { t } from "../base/texts.js";
import { botTitle, levelStone } from "../ui/bots.js";
import { lookAlone } from "../ui/pieces.js";
import { botOf, nameOf } from "./game.js";

/** A person's stone as a face. @param {import("../base/protocol").Stone} stone */
export const ownLook = ({ form, rim }) => `own-${form} ${rim}`;

/** A bot's face, by level and seat. @param {string} bot @param {number} seat */
export const botLook = (bot, seat) => `stone-${levelStone(bot)} ${STONES[seat % STONES.length].toLowerCase()}`;

/**
 * The face of whoever sits there; that of the seat, where we don't know.
 * @param {import("./game.js").Game} game
 * @param {number} seat
 * @returns {import("../ui/pieces.js").Look}
 */
export function lookOf(game, seat) {
  const player = game.chairs[seat]?.player ?? null;
  const bot = botOf(player);
  if (bot) return botLook(bot, seat);
  const stone = player && game.stones[player];
  return stone ? ownLook(stone) : seat;
}

/**
 * Who sits there, as one introduces them: of a bot the level too.
 * @param {import("./game.js").Game} game
 * @param {number} seat
 */
export function titleOf(game, seat) {
  const [name, bot] = [nameOf(game, seat, t), botOf(game.chairs[seat]?.player ?? null)];
  return bot ? botTitle(name, bot) : name;
}

/** @param {string} emote */
export const emoteFace = (emote) => lookAlone(`emote-${emote} grey`);

/** What somebody says, at their face. @param {string} name @param {string} emote */
export const bubble = (name, emote) =>
  h(
    "span",
    { class: "said", role: "status", key: "said" },
    emoteFace(emote),
    h("span", { class: "vh" }, `${name}: `),
    t(`page.emote.${emote}`),
  );
