// My hand: one tab stop, arrow keys move in it. What is legal was told by the server; an illegal card stays focusable.

import { h, memo } from "./dom.js";
import { colourOf } from "./game.js";
import { cardLayers, cardName } from "./pieces.js";
import { room } from "./room.js";
import { t } from "./texts.js";

/**
 * @typedef {object} HandView
 * @property {string[]} cards
 * @property {Set<string> | null} legal  null: it isn't my turn
 * @property {string | null} pick
 * @property {string | null} focus       the card that Tab reaches
 * @property {boolean} mine              my turn, for the line over the tray
 * @property {(card: string) => void} tap
 * @property {(card: string) => void} preview
 * @property {() => void} unpreview
 * @property {(card: string) => void} focused
 */

/** @param {HandView} view */
export function hand(view) {
  const rows = splitRows(view.cards);
  const stop = view.focus && view.cards.includes(view.focus) ? view.focus : (view.cards.find((card) => view.legal?.has(card)) ?? view.cards[0]);
  return h(
    "section",
    { class: `hand ${view.mine ? "playing" : ""}`, "aria-label": t("page.hand"), on: { keydown: (/** @type {KeyboardEvent} */ event) => move(event) } },
    h("i", { class: "clock" }),
    rows.map((row, number) =>
      h(
        "ul",
        { class: "row", key: number },
        row.map((card, place) => handCard(view, card, place > 0 && colourOf(row[place - 1]) !== colourOf(card), card === stop)),
      ),
    ),
  );
}

/** @param {HandView} view @param {string} card @param {boolean} first @param {boolean} stop */
function handCard(view, card, first, stop) {
  const legal = !view.legal || view.legal.has(card);
  return memo(`hand ${card}`, [legal, view.legal !== null, card === view.pick, first, stop], () => newHandCard(view, card, first, stop, legal));
}

/** @param {HandView} view @param {string} card @param {boolean} first @param {boolean} stop @param {boolean} legal */
function newHandCard(view, card, first, stop, legal) {
  return h(
    "li",
    { key: card, class: `${first ? "first" : ""} ${legal ? "" : "no"} ${card === view.pick ? "pick" : ""}` },
    h(
      "button",
      {
        type: "button",
        class: `card ${colourOf(card)}`,
        "data-card": card,
        "aria-label": cardName(card),
        "aria-disabled": legal && view.legal ? null : "true",
        "aria-pressed": view.legal ? String(card === view.pick) : null,
        tabindex: stop ? "0" : "-1",
        on: {
          click: () => view.tap(card),
          focus: () => view.focused(card),
          mouseenter: () => view.preview(card),
          mouseleave: () => view.unpreview(),
        },
      },
      cardLayers(card),
    ),
  );
}

/** Arrow keys go from card to card. @param {KeyboardEvent} event */
function move(event) {
  const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity });
  const step = steps[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const cards = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button.card")];
  const place = cards.indexOf(/** @type {Element} */ (document.activeElement));
  if (place < 0) return;
  event.preventDefault();
  const next = cards[Math.max(0, Math.min(cards.length - 1, place + step))];
  if (next instanceof HTMLElement) next.focus();
}

/** One row where each card keeps enough to be read and tapped; else two, cut between two colours where that stays even. @param {string[]} cards */
export function splitRows(cards) {
  const { wide, high, side: desktop } = room;
  const phone = wide < 700 && high > 520;
  const card = phone ? Math.min(90, Math.max(58, wide * 0.204)) : high <= 520 ? 62 : desktop ? Math.min(132, Math.max(84, Math.min(wide * 0.074, high * 0.134))) : 124;
  const space = desktop ? wide - (wide < 1250 ? 304 : wide < 1600 ? 344 : 420) - (wide < 1600 ? 282 : 400) - 50 : wide - 24;
  if (cards.length < 2 || (space - card - 20) / (cards.length - 1) >= (phone ? 27 : 33)) return [cards];
  const half = Math.ceil(cards.length / 2);
  const cut = [0, 1, -1].map((by) => half + by).find((place) => cards[place] && colourOf(cards[place]) !== colourOf(cards[place - 1]));
  return [cards.slice(0, cut ?? half), cards.slice(cut ?? half)];
}
