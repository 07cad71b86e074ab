// Hands laid open, as strips of chips by colour.

import { h } from "./dom.js";
import { COLOURS, playsOf, valueOf } from "./game.js";
import { suit } from "./pieces.js";
import { t } from "./texts.js";

/** @typedef {import("./game.js").Deal} Deal */

/** How many cards a seat holds. @param {Deal} deal @param {number} seat */
export const left = (deal, seat) => deal.hands[seat].length - playsOf(deal).filter((play) => play.seat === seat).length;

/** A hand by colour, with what has been played struck out. @param {Deal} deal @param {number} seat */
export function strip(deal, seat) {
  const plays = playsOf(deal);
  const played = new Set(plays.map((play) => play.card));
  const latest = (deal.table.length ? deal.table : (deal.tricks.at(-1)?.plays ?? [])).find((play) => play.seat === seat)?.card;
  return h(
    "ul",
    { class: "strip" },
    COLOURS.map((colour) => ({ colour, own: deal.hands[seat].filter((card) => card[0] === colour) }))
      .filter(({ own }) => own.length)
      .map(({ colour, own }) =>
        h(
          "li",
          { key: colour, class: `chip ${colour}` },
          suit(colour),
          h("span", { class: "vh" }, t(`colour.${colour}`)),
          own.map((card) => h(played.has(card) ? "s" : "span", { key: card, class: card === latest ? "latest" : "" }, valueOf(card))),
        ),
      ),
  );
}
