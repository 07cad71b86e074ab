// The trick: a slot for each player from the start, in the order of play, so that order, turn and who is left are one
// picture.

import { h, memo } from "../base/dom.js";
import { t } from "../base/texts.js";
import { tellSize } from "../base/viewport.js";
import { cardPicture, face, role } from "../ui/pieces.js";

/**
 * @typedef {object} Slot
 * @property {number} seat
 * @property {import("../ui/pieces.js").Look} look
 * @property {string} name
 * @property {string | null} card
 * @property {boolean} ghost    not played yet, only picked
 * @property {boolean} me
 * @property {boolean} turn
 * @property {boolean} goliath
 * @property {boolean} david
 * @property {boolean} [bare]   nobody's face yet
 */

/** @param {Slot[]} slots */
export function trickRow(slots) {
  return h(
    "section",
    { class: "trick", "aria-label": t("page.trick"), made: tellSize },
    h("div", { class: "slots" }, slots.map(slot)),
  );
}

/** @param {Slot} one */
const slot = (one) => memo(`slot ${one.seat}`, Object.values(one), () => newSlot(one));

/** @param {Slot} slot */
function newSlot({ seat, look, name, card, ghost, me, turn, goliath, david, bare }) {
  const roles = `${goliath ? "is-goliath" : ""} ${david ? "is-david" : ""}`;
  const kind = `slot ${roles} ${ghost ? "ghost" : ""} ${turn ? "turn" : ""}`;
  return h(
    "div",
    { class: kind, key: seat },
    h("div", { class: "tag" }, goliath && role("goliath"), david && role("david")),
    card
      ? cardPicture(card, { key: card, "data-slot": card, "data-seat-card": seat })
      : h(
          "div",
          { class: "hole", key: "hole" },
          turn && me ? h("span", null, t("page.you_slot")) : !bare && face(look),
        ),
    h("div", { class: "who" }, name),
  );
}
