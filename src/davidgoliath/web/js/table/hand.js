// My hand: one tab stop, arrow keys move in it. What is legal was told by the server; an illegal card stays focusable.

import { cardColour } from "../base/cards.js";
import { h, memo } from "../base/dom.js";
import { draw } from "../base/router.js";
import { stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { cardLayers, cardName } from "../ui/pieces.js";

/**
 * @typedef {{ text: Inner, says?: string, kind: string }} Mark  what is seen, and what is heard if that is no text
 * @typedef {import("../base/dom.js").Inner} Inner
 *
 * @typedef {object} HandView
 * @property {string[]} cards
 * @property {Set<string> | null} legal  null: it isn't my turn
 * @property {string | null} pick
 * @property {string | null} focus       the card that Tab reaches
 * @property {boolean} mine              my turn, for the line over the tray
 * @property {Map<string, Mark>} [marks]  by card: what stands over it
 * @property {(card: string) => void} tap
 * @property {(card: string) => void} preview
 * @property {() => void} unpreview
 * @property {(card: string) => void} focused
 */

/** @param {HandView} view */
export function hand(view) {
  const rows = splitRows(view.cards);
  const stop =
    view.focus && view.cards.includes(view.focus)
      ? view.focus
      : (view.cards.find((card) => view.legal?.has(card)) ?? view.cards[0]);
  return h(
    "section",
    {
      class: `hand ${view.mine ? "playing" : ""}`,
      "aria-label": t("page.hand"),
      on: { keydown: (/** @type {KeyboardEvent} */ event) => move(event) },
    },
    h("i", { class: "clock" }),
    rows.map((row, number) =>
      h(
        "ul",
        {
          class: "row",
          key: number,
          made: number === 0 ? (/** @type {Element} */ row) => watcher.observe(row) : undefined,
        },
        row.map((card, place) =>
          handCard(view, card, place > 0 && cardColour(row[place - 1]) !== cardColour(card), card === stop),
        ),
      ),
    ),
  );
}

/** @param {HandView} view @param {string} card @param {boolean} first @param {boolean} stop */
function handCard(view, card, first, stop) {
  const legal = !view.legal || view.legal.has(card);
  const mark = view.marks?.get(card);
  return memo(
    `hand ${card}`,
    [legal, view.legal !== null, card === view.pick, first, stop, mark?.kind, mark?.text],
    () => newHandCard(view, card, first, stop, legal),
  );
}

/** @param {HandView} view @param {string} card @param {boolean} first @param {boolean} stop @param {boolean} legal */
function newHandCard(view, card, first, stop, legal) {
  const mark = view.marks?.get(card);
  return h(
    "li",
    { key: card, class: `${first ? "first" : ""} ${legal ? "" : "no"} ${card === view.pick ? "pick" : ""}` },
    h(
      "button",
      {
        type: "button",
        class: `card ${cardColour(card)}`,
        "data-card": card,
        "aria-label": mark ? `${cardName(card)}, ${mark.says ?? mark.text}` : cardName(card),
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
    mark && h("span", { class: `over ${mark.kind}`, "aria-hidden": "true" }, mark.text),
  );
}

/** Arrow keys go from card to card. @param {KeyboardEvent} event */
function move(event) {
  const steps = /** @type {Record<string, number>} */ ({
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: 1,
    ArrowUp: -1,
    Home: -Infinity,
    End: Infinity,
  });
  const step = steps[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button.card")];
  const cards = all.filter(
    (card) => !stored.settings.skip || card === document.activeElement || !card.closest("li.no"),
  );
  const place = cards.indexOf(/** @type {Element} */ (document.activeElement));
  if (place < 0) return;
  event.preventDefault();
  const next = cards[Math.max(0, Math.min(cards.length - 1, place + step))];
  if (next instanceof HTMLElement) next.focus();
}

/**
 * One row where each card keeps enough to be read and tapped; else two, cut between two colours where that stays even.
 * @param {string[]} cards
 */
function splitRows(cards) {
  const { wide, card, strip, between } = space;
  const changes = cards.filter((card, place) => place > 0 && cardColour(cards[place - 1]) !== cardColour(card)).length;
  if (cards.length < 2 || card + (cards.length - 1) * strip + changes * between <= wide) return [cards];
  const half = Math.ceil(cards.length / 2);
  const cut = [0, 1, -1]
    .map((by) => half + by)
    .find((place) => cards[place] && cardColour(cards[place]) !== cardColour(cards[place - 1]));
  return [cards.slice(0, cut ?? half), cards.slice(cut ?? half)];
}

/**
 * What the style gives to the hand, in pixels: a row, a card, the least seen of one, and the gap between two colours.
 */
const space = { wide: 0, card: 0, strip: 0, between: 0 };

/** The style decides how large everything is; the page looks when that changes, before anything is painted. */
const watcher = new ResizeObserver((rows) => {
  for (const { target, contentRect } of rows) {
    const card = target.querySelector("button.card");
    if (!(card instanceof HTMLElement)) continue;
    const style = getComputedStyle(target);
    const [strip, between] = ["--strip", "--between"].map((name) => Number.parseFloat(style.getPropertyValue(name)));
    const now = { wide: contentRect.width, card: card.offsetWidth, strip, between };
    if (Object.entries(now).every(([name, size]) => size === space[/** @type {keyof typeof space} */ (name)])) continue;
    Object.assign(space, now);
    draw();
  }
});
