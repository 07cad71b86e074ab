// Where a deal is written down: a key for each card, or in quick mode a number for each colour, and values where they
// count.

import { COLOURS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { capital, rich, t } from "../base/texts.js";
import { button, cardName, chip, suit } from "../ui/pieces.js";
import { book, leftOver, move, ownerOf, setCount, tap } from "./book.js";

/**
 * @typedef {import("./scoring.js").Pad} Pad
 * @typedef {import("./scoring.js").Reckoned} Reckoned
 * @typedef {import("../base/dom.js").Inner} Inner
 */

const FEW_LEFT = 20;
const COUNTS = [0, 1, 2, 3, 4, 5, 6];
/** Keys in a row on a telephone and on a desk, by the deck's highest value. @type {Record<number, [number, number]>} */
const ABREAST = { 9: [5, 9], 12: [6, 12], 15: [5, 15], 18: [6, 9] };

/**
 * Why the last tap changed nothing, and the card that somebody else has.
 * @type {{ why: Inner, card?: [number, number] } | null}
 */
let refused = null;

export function forgetRefusal() {
  refused = null;
}

/** @param {number} colour @param {number} value */
function press(colour, value) {
  const answer = tap(colour, value);
  refused =
    answer &&
    (answer.refused === "taken" ? { why: taken(colour, value, answer.owner), card: [colour, value] } : full(colour));
  draw();
}

/** @param {number} colour @param {number} value @param {number} owner */
const taken = (colour, value, owner) =>
  rich("page.pad_taken", { card: chip(COLOURS[colour] + value), name: h("b", null, book.pad?.names[owner]) });

/** @param {number} colour */
const full = (colour) => ({
  why: rich("page.pad_full", {
    suit: [suit(COLOURS[colour]), h("span", { class: "vh" }, t(`colour.${COLOURS[colour]}`))],
  }),
});

/** @param {number} colour @param {number} count */
function count(colour, count) {
  refused = setCount(colour, count) ? null : full(colour);
  draw();
}

/** All that somebody can tap. @param {Pad} pad @param {Reckoned} reckoned @param {number} highest */
export function keys(pad, reckoned, highest) {
  const { seat, deal } = book.at;
  const pile = pad.deals[deal][seat];
  return h(
    "section",
    {
      class: "box keypad",
      key: "keys",
      "aria-label": t("page.pad_captured", { name: pad.names[seat] }),
      style: { "--abreast": String(ABREAST[highest][0]), "--wide": String(ABREAST[highest][1]) },
      on: { keydown: walk },
    },
    COLOURS.map((colour, place) =>
      h(
        "div",
        { class: `kind ${colour}`, key: colour, role: "group", "aria-label": capital(t(`colour.${colour}`)) },
        suit(colour),
        h("p", { class: "how" }, how(pile[place], reckoned.points[seat][place])),
        h("b", { class: "worth" }, reckoned.points[seat][place] ?? "?"),
        book.quick && numbers(place, pile[place].length),
        (!book.quick || (pile[place].length > 0 && pile[place].length < 3)) && values(pad, place, highest),
      ),
    ),
  );
}

/** How cards count, in words. @param {number[]} values @param {number | null} points */
function how(values, points) {
  if (points === null) return t("page.pad_which", { count: values.length });
  return t(
    values.length > 2
      ? "page.counts_rubble"
      : ["page.counts_none", "page.counts_one", "page.counts_two"][values.length],
  );
}

/** @param {Pad} pad @param {number} colour @param {number} highest */
function values(pad, colour, highest) {
  const { seat, deal } = book.at;
  const piles = pad.deals[deal];
  return h(
    "div",
    { class: "keygrid", key: "values" },
    Array.from({ length: highest }, (_, place) => {
      const value = place + 1;
      const owner = ownerOf(piles, colour, value);
      const card = COLOURS[colour] + value;
      const theirs = owner >= 0 && owner !== seat;
      return h(
        "button",
        {
          type: "button",
          key: value,
          class: `key ${theirs ? "theirs" : ""}`,
          "data-card": card,
          "aria-pressed": String(owner === seat),
          "aria-label": theirs ? `${cardName(card)}, ${pad.names[owner]}` : cardName(card),
          tabindex: place ? "-1" : "0",
          on: { click: () => press(colour, value) },
        },
        h("span", null, value),
        theirs && h("small", null, pad.names[owner]),
      );
    }),
  );
}

/** @param {number} colour @param {number} own */
function numbers(colour, own) {
  const name = t(`colour.${COLOURS[colour]}`);
  const more = own > COUNTS.length - 1;
  /** @param {number} number @param {Inner} shown @param {boolean} pressed @param {string} key */
  const one = (number, shown, pressed, key) =>
    h(
      "button",
      {
        type: "button",
        key,
        class: "key",
        "data-count": `${COLOURS[colour]}${key}`,
        "aria-pressed": String(pressed),
        "aria-label": `${name}: ${t("page.cards", { count: number })}`,
        tabindex: key === "0" ? "0" : "-1",
        on: { click: () => count(colour, number) },
      },
      h("span", null, shown),
    );
  return h(
    "div",
    { class: "keygrid numbers", key: "numbers" },
    COUNTS.map((number) => one(number, number, number === own, String(number))),
    one(Math.max(own, COUNTS.length - 1) + 1, more ? `${own} +` : "+", more, "+"),
  );
}

/** Arrows lead from key to key; Tab goes from colour to colour. @param {KeyboardEvent} event */
function walk(event) {
  const { target } = event;
  if (!(target instanceof HTMLElement) || !target.matches(".key")) return;
  const all = /** @type {HTMLElement[]} */ ([
    .../** @type {HTMLElement} */ (target.closest(".keypad")).querySelectorAll(".key"),
  ]);
  const box = target.getBoundingClientRect();
  /** The nearest key above or below. @param {number} way */
  const beyond = (way) => {
    const rows = all
      .map((key) => ({ key, at: key.getBoundingClientRect() }))
      .filter(({ at }) => (at.top - box.top) * way > 4);
    const near = Math.min(...rows.map(({ at }) => Math.abs(at.top - box.top)));
    const row = rows.filter(({ at }) => Math.abs(at.top - box.top) < near + 4);
    return row.sort((one, other) => Math.abs(one.at.left - box.left) - Math.abs(other.at.left - box.left))[0]?.key;
  };
  const place = all.indexOf(target);
  /** @type {Record<string, () => HTMLElement | undefined>} */
  const ways = {
    ArrowLeft: () => all[place - 1],
    ArrowRight: () => all[place + 1],
    ArrowUp: () => beyond(-1),
    ArrowDown: () => beyond(1),
  };
  const next = ways[event.key]?.();
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Why a tap changed nothing, and what to do about it. @param {Pad} pad */
export function bubble(pad) {
  if (!refused) return null;
  const { why, card } = refused;
  const take = () => {
    if (card) move(...card);
    refused = null;
    draw();
  };
  return h(
    "div",
    { class: "padbubble", key: "bubble", role: "alert" },
    h("p", null, why),
    card && button(t("page.pad_move", { name: pad.names[book.at.seat] }), take, { "data-act": "move" }),
  );
}

/** What belongs to nobody yet. @param {Pad} pad @param {Reckoned} reckoned @param {number} highest */
export function leftovers(pad, reckoned, highest) {
  const piles = pad.deals[book.at.deal];
  const total = reckoned.left.reduce((sum, count) => sum + count, 0);
  const free = leftOver(piles, highest);
  const named = total <= FEW_LEFT && free.every((values, colour) => values.length === reckoned.left[colour]);
  return h(
    "section",
    { class: "leftover", key: "leftover" },
    h("h2", null, total ? t("page.pad_left", { count: total }) : t("page.pad_all_given")),
    total > 0 &&
      h(
        "ul",
        null,
        COLOURS.map((colour, place) => {
          if (!reckoned.left[place]) return null;
          const shown = named
            ? free[place].map((value) => chip(colour + value))
            : h(
                "span",
                { class: "many" },
                suit(colour),
                h("span", { class: "vh" }, t(`colour.${colour}`)),
                ` × ${reckoned.left[place]}`,
              );
          return h("li", { key: colour }, shown);
        }),
      ),
  );
}
