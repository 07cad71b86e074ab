// What somebody says, at their face.

import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { lookAlone } from "../ui/pieces.js";

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
