// What opens over the table: points by colour, the last trick, the radar, and whatever else brings its own view.

import { COLOURS } from "../base/cards.js";
import { h, memo } from "../base/dom.js";
import { t } from "../base/texts.js";
import { button, cardPicture, chip, face, icon, iconButton, role, suit } from "../ui/pieces.js";
import { stateOf } from "./game.js";
import { gain, outcome, storyLine, why } from "./narrator.js";
import { radar } from "./piles.js";

/**
 * @typedef {import("./game.js").Trick} Trick
 * @typedef {import("../base/dom.js").Inner} Inner
 * @typedef {import("./piles.js").Row} Row
 */

/**
 * A dialog over the table. Escape and the scrim close it, and the focus stays in it.
 * @param {string} name
 * @param {Inner} title
 * @param {() => void} close
 * @param {...Inner} inner
 */
export function dialog(name, title, close, ...inner) {
  return [
    h("div", { class: "scrim", key: "scrim", on: { click: close } }),
    h(
      "div",
      {
        class: `dialog ${name}`,
        key: `dialog-${name}`,
        role: "dialog",
        "aria-modal": "true",
        "aria-labelledby": "dialog-title",
        tabindex: "-1",
        focus: true,
        on: { keydown: (/** @type {KeyboardEvent} */ event) => inside(event, close) },
      },
      h("header", null, h("h2", { id: "dialog-title" }, title), iconButton("close", t("page.close"), close)),
      inner,
    ),
  ];
}

/** @param {KeyboardEvent} event @param {() => void} close */
function inside(event, close) {
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
  }
  if (event.key !== "Tab") return;
  const dialog = /** @type {HTMLElement} */ (event.currentTarget);
  const stops = /** @type {HTMLElement[]} */ ([
    ...dialog.querySelectorAll("button, a[href], input, select, summary"),
  ]).filter((stop) => stop.offsetParent);
  const [first, last] = [stops[0], stops.at(-1)];
  if (event.shiftKey && (document.activeElement === first || document.activeElement === dialog)) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first?.focus();
  }
}

/**
 * Points that explain themselves.
 * @param {Row} row
 * @param {() => void} close
 * @param {Inner} tools  what the host can do about that seat
 */
export function pointsDialog(row, close, tools) {
  return dialog(
    "points",
    [
      face(row.look),
      h("span", { class: "grow" }, row.me ? t("page.your_points") : row.title),
      h("b", { class: "large" }, row.score),
    ],
    close,
    row.character && h("p", { class: "quiet character" }, row.character),
    h(
      "ul",
      { class: "parts" },
      COLOURS.map((colour, place) => {
        const pile = row.piles[place];
        const how = {
          bare: "page.counts_none",
          up: pile.values.length > 1 ? "page.counts_two" : "page.counts_one",
          rubble: "page.counts_rubble",
        }[stateOf(pile)];
        return h(
          "li",
          { key: colour },
          suit(colour),
          h(
            "span",
            { class: "v" },
            pile.values.map((value) => chip(colour + value)),
            h("span", { class: "how" }, t(how)),
          ),
          h("b", null, pile.worth),
        );
      }),
    ),
    row.total !== null && h("p", { class: "quiet" }, t("page.match_total", { count: row.total })),
    tools,
  );
}

/** What each key does. @param {[string, string][]} keys @param {() => void} close */
export const keysDialog = (keys, close) =>
  dialog(
    "keys",
    t("page.shortcuts"),
    close,
    h(
      "dl",
      null,
      keys.map(([key, what]) => h("div", { key }, h("dt", null, h("kbd", null, key)), h("dd", null, what))),
    ),
  );

/** Where the bar has no room for all of its buttons. @param {(name: string) => void} open @param {() => void} close */
export function menuDialog(open, close) {
  const ways = /** @type {[string, "people" | "help" | "gear"][]} */ ([
    ["people", "people"],
    ["rules", "help"],
    ["settings", "gear"],
  ]);
  return dialog(
    "menu",
    t("page.menu"),
    close,
    h(
      "div",
      { class: "menu" },
      ways.map(([name, sign]) => button([icon(sign), t(`page.${name}`)], () => open(name), { key: name })),
    ),
  );
}

/** @param {Row[]} rows @param {() => void} close */
export const radarDialog = (rows, close) => dialog("radar", t("page.radar"), close, radar(rows));

/**
 * Who took what, and why.
 * @param {Trick[]} tricks
 * @param {number} number
 * @param {(seat: number) => string} name
 * @param {(number: number) => void} turnTo
 * @param {() => void} close
 */
export function trickDialog(tricks, number, name, turnTo, close) {
  const trick = tricks[number];
  if (!trick) return dialog("last", t("page.last_trick"), close, h("p", null, t("page.no_trick_yet")));
  return dialog(
    "last",
    t("page.trick_number", { number: number + 1 }),
    close,
    h(
      "div",
      { class: "mini", style: { "--n": String(trick.plays.length) } },
      trick.plays.map((play) =>
        h(
          "div",
          { key: play.seat, class: "mini-slot" },
          h(
            "div",
            { class: "tag" },
            play.seat === trick.goliath && role("goliath"),
            play.seat === trick.david && role("david"),
          ),
          cardPicture(play.card),
          h("div", { class: "who" }, name(play.seat)),
        ),
      ),
    ),
    h("p", null, why(trick, name)),
    h(
      "p",
      null,
      outcome(trick, name, (seat) => gain(trick, seat)),
    ),
    h(
      "div",
      { class: "acts" },
      button(t("page.earlier"), () => turnTo(number - 1), { disabled: number === 0 }),
      button(t("page.later"), () => turnTo(number + 1), { disabled: number === tricks.length - 1 }),
    ),
  );
}

/**
 * All tricks of the deal, the newest first.
 * @param {Trick[]} tricks
 * @param {(seat: number) => string} name
 * @param {number | null} me
 */
export function story(tricks, name, me) {
  return memo("story", [tricks, me, tricks[0]?.plays.map((play) => name(play.seat)).join()], () =>
    h(
      "ol",
      { class: "log" },
      tricks
        .map((trick, place) =>
          h("li", { key: place }, h("span", { class: "no" }, place + 1), h("span", null, storyLine(trick, name, me))),
        )
        .reverse(),
    ),
  );
}

/**
 * Asks before something that can't be undone.
 * @param {string} title
 * @param {string} question
 * @param {() => void} act
 * @param {() => void} close
 */
export function sureDialog(title, question, act, close) {
  return dialog(
    "sure",
    title,
    close,
    h("p", null, question),
    h(
      "div",
      { class: "acts" },
      button(t("page.no"), close, { focus: true }),
      button(title, act, { class: "act", "data-act": "sure" }),
    ),
  );
}
