// What people say at a table without words, as faces of a pebble; and bots, if one likes that.

import { h } from "../base/dom.js";
import { EMOTES } from "../base/facts.js";
import { stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { button, face, iconButton, loadArt } from "../ui/pieces.js";
import { dialog } from "./dialogs.js";
import { isPerson, mySeat, nameOf } from "./game.js";
import { emoteFace, lookOf } from "./looks.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./session.js").Emote} Emote
 */

/** Whether anybody would see what I say. @param {Game} game */
export const canTalk = (game) =>
  mySeat(game) !== null && (game.spectators > 0 || game.chairs.filter((chair) => isPerson(chair.player)).length > 1);

/** Whether I want to see what is said there. @param {Game} game @param {number} seat @param {string} emote */
export const isWanted = (game, seat, emote) =>
  EMOTES.some((one) => one === emote) && (stored.settings.reactions || isPerson(game.chairs[seat]?.player ?? null));

/** The way to all of them. @param {() => void} open @param {string} [kind] */
export const bubbleButton = (open, kind = "") =>
  iconButton("bubble", t("page.emotes"), open, { "data-opens": "emotes", key: "emotes", class: kind });

/** One tap says it. @param {(emote: Emote) => void} say @param {() => void} close */
export const emotesDialog = (say, close) =>
  dialog(
    "emotes",
    t("page.emotes"),
    close,
    h(
      "div",
      { class: "faces", role: "group", "aria-label": t("page.emotes") },
      EMOTES.map((emote) =>
        button([emoteFace(emote), h("span", null, t(`page.emote.${emote}`))], () => say(emote), { key: emote }),
      ),
    ),
  );

/** The same where there are no faces to say it at. @param {Game} game @param {number} seat @param {string} emote */
export const saidLine = (game, seat, emote) =>
  h(
    "span",
    { class: "said-line" },
    face(lookOf(game, seat)),
    t("page.says", { name: nameOf(game, seat, t), words: t(`page.emote.${emote}`) }),
    emoteFace(emote),
  );

/** Their drawings, which nobody needs before somebody says something. */
export const loadFaces = () => loadArt("emotes");
