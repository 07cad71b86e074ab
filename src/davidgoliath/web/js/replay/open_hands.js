// Hands laid open, as strips of chips by colour.

import { COLOURS, cardValue } from "../base/cards.js";
import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { playsOf } from "../table/game.js";
import { suit } from "../ui/pieces.js";

/** @typedef {import("../table/game.js").Deal} Deal */

/** How many cards a seat holds. @param {Deal} deal @param {number} seat */
export const left = (deal, seat) => deal.hands[seat].length - playsOf(deal).filter((play) => play.seat === seat).length;

/**
 * A hand by colour, with what has been played struck out.
 * @param {Deal} deal @param {number} seat @param {boolean} [hidden]  whether the rest can't be known to whoever looks
 */
export function strip(deal, seat, hidden = false) {
  const plays = playsOf(deal);
  const played = new Set(plays.map((play) => play.card));
  const latest = (deal.table.length ? deal.table : (deal.tricks.at(-1)?.plays ?? [])).find(
    (play) => play.seat === seat,
  )?.card;
  return h(
    "ul",
    { class: `strip ${hidden ? "hidden" : ""}` },
    COLOURS.map((colour) => ({ colour, own: deal.hands[seat].filter((card) => card[0] === colour) }))
      .filter(({ own }) => own.length)
      .map(({ colour, own }) =>
        h(
          "li",
          { key: colour, class: `chip ${colour}` },
          suit(colour),
          h("span", { class: "vh" }, t(`colour.${colour}`)),
          own.map((card) =>
            h(played.has(card) ? "s" : "span", { key: card, class: card === latest ? "latest" : "" }, cardValue(card)),
          ),
        ),
      ),
  );
}
