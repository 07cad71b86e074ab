// What every page is made of: cards, chips, suits, faces, icons, buttons.

import { asset } from "../base/address.js";
import { COLOURS, cardColour, cardValue } from "../base/cards.js";
import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { picture, prepare, takePictures } from "./pictures.js";

/** @typedef {import("../base/dom.js").VNode} VNode @typedef {import("../base/dom.js").Inner} Inner */

const ICONS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  back: "M14 5 7 12l7 7",
  last: "M10.5 7.5h9V20h-9ZM7.3 18.6 4 6.6l9-2.5",
  radar: "M12 12 19 6M12 3a9 9 0 1 0 9 9M12 7.5a4.5 4.5 0 1 0 4.5 4.5",
  gear:
    "M3.5 7.5h8.4M17.1 7.5h3.4M3.5 16.5h3.4M12.1 16.5h8.4M14.5 4.9a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2" +
    "M9.5 13.9a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2",
  help: "M9 9a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.3-1.6 2.5M12 18v.2",
  moon: "M19 14.5A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.5Z",
  sun:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.2 5.2l1.5 1.5" +
    "M17.3 17.3l1.5 1.5M5.2 18.8l1.5-1.5M17.3 6.7l1.5-1.5",
  share: "M12 15V4M8 7.5 12 3.5l4 4M5 12v7h14v-7",
  close: "M6 6l12 12M18 6 6 18",
  undo: "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12H9",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.6a3.5 3.5 0 0 1 0 6" +
    "M18 14.2a6.5 6.5 0 0 1 3.5 5.8",
  bot:
    "M12 8V4M6.5 8h11a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 17.5v-8" +
    "A1.5 1.5 0 0 1 6.5 8M9.5 12v1.5M14.5 12v1.5",
  bubble:
    "M12 3.5c5 0 9 3.4 9 7.6s-4 7.6-9 7.6c-.9 0-1.8-.1-2.6-.3L4.5 20.5l1.2-4C4 15.1 3 13.2 3 11.1" +
    "c0-4.2 4-7.6 9-7.6M8.7 12.3c1.5 2 5.1 2 6.6 0M9.5 8.7v.2M14.5 8.7v.2",
  play: "M8 5v14l11-7Z",
  pause: "M8 5v14M16 5v14",
  first: "M18 5 9 12l9 7ZM6 5v14",
  step: "M9 5l7 7-7 7",
  final: "M6 5l9 7-9 7ZM18 5v14",
  copy: "M9 9h11v11H9ZM5 15H4V4h11v1",
  check: "M5 12.5 10 17.5 19 7",
  lamp: "M9 18h6M10.5 21.5h3M8.8 14.4A6 6 0 1 1 15.2 14.4C14.6 15 14.5 15.5 14.5 16h-5c0-.5-.1-1-.7-1.6Z",
  download: "M12 4v11M8 11.5l4 4 4-4M5 20h14",
};

/** A symbol of the art, by its id. @param {string} id @param {string} [kind] */
export function art(id, kind = "art") {
  return h("svg", { class: kind, "aria-hidden": "true" }, h("use", { href: `#${id}` }));
}

/** A suit's shape. @param {string} colour @param {string} [kind] */
export const suit = (colour, kind = "") =>
  h("svg", { class: `suit ${colour} ${kind}`, "aria-hidden": "true" }, h("use", { href: `#suit-${colour}` }));

/**
 * The layers of a card: its face, a veil for when it can't be played, and the index above that.
 * @param {string} card
 */
export const cardLayers = (card) => [
  image(`face-${cardValue(card)}`, cardColour(card), "art"),
  h("i", { class: "veil" }),
  art(`index-${card}`),
];

/** @param {string} id @param {string} suit @param {string} kind @param {boolean} [startled] */
const image = (id, suit, kind, startled) =>
  h("img", { class: kind, src: picture(id, suit, startled), alt: "", draggable: "false" });

/** A card as a word. @param {string} card */
export const cardName = (card) => `${t(`colour.${cardColour(card)}`)} ${cardValue(card)}`;

/** A whole card, to look at. @param {string} card @param {import("../base/dom.js").Props} [props] */
export function cardPicture(card, props = {}) {
  const kind = `card ${cardColour(card)} ${props.class ?? ""}`;
  return h("span", { ...props, class: kind, role: "img", "aria-label": cardName(card) }, cardLayers(card));
}

/** A card in a sentence. @param {string} card */
export function chip(card) {
  return h(
    "span",
    { class: `chip ${cardColour(card)}` },
    suit(cardColour(card)),
    h("span", { class: "vh" }, `${t(`colour.${cardColour(card)}`)} `),
    String(cardValue(card)),
  );
}

/** A stone alone: a face for a seat. @param {number} value from 1 to 18 @param {string} [kind] */
export const stone = (value, kind = "grey") => art(`stone-${value}`, `stone-alone ${kind}`);

/** @typedef {string | number} Look  a symbol of the art and its tones, such as "own-flat cyan"; or just a seat */
const FACES = [4, 2, 10, 6, 14, 18];

/** Which symbol, and in which tones. @param {Look} look @returns {[string, string]} */
function drawn(look) {
  const [id, tones] = typeof look === "string" ? look.split(" ") : [`stone-${FACES[look % FACES.length]}`, "grey"];
  return [id, tones];
}

/** The same as a picture's address, once its drawing is there. @param {Look} look */
export const lookAddress = (look) => picture(...drawn(look));

/** Somebody as a stone, without anything round it. @param {Look} look @param {boolean} [startled] */
export const lookAlone = (look, startled) => image(...drawn(look), "stone-alone", startled);

/** Somebody, as a stone. @param {Look} look @param {boolean} [startled] */
export const face = (look, startled) => h("span", { class: "face" }, lookAlone(look, startled));

/** @param {keyof typeof ICONS} name @param {string} [kind] */
export const icon = (name, kind = "") =>
  h("svg", { class: `glyph ${kind}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: ICONS[name] }));

/**
 * A button that is an icon.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {() => void} act
 * @param {import("../base/dom.js").Props} [props]
 */
export function iconButton(name, label, act, props = {}) {
  return h(
    "button",
    {
      type: "button",
      "aria-label": label,
      title: label,
      ...props,
      class: `icon ${props.class ?? ""}`,
      on: { click: act },
    },
    icon(name),
  );
}

/** @param {Inner} label @param {() => void} act @param {import("../base/dom.js").Props} [props] */
export function button(label, act, props = {}) {
  return h("button", { type: "button", ...props, class: `btn ${props.class ?? ""}`, on: { click: act } }, label);
}

/** David or Goliath, as a pill. @param {"david" | "goliath"} who */
export const role = (who) => h("span", { class: `role ${who}` }, art(who, "mark"), t(`page.${who}`));

/**
 * A choice of one among few.
 * @param {string} label
 * @param {[string, Inner][]} options  value and what it shows
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function segments(label, options, chosen, choose) {
  const stop = options.some(([value]) => value === chosen) ? chosen : options[0]?.[0];
  return h(
    "div",
    { class: "seg", role: "group", "aria-label": label, on: { keydown: rove } },
    options.map(([value, shown]) =>
      h(
        "button",
        {
          type: "button",
          key: value,
          "aria-pressed": String(value === chosen),
          tabindex: value === stop ? "0" : "-1",
          on: { click: () => choose(value) },
        },
        shown,
      ),
    ),
  );
}

/** A group of choices is one tab stop: arrow keys go from one to the next. @param {KeyboardEvent} event */
export function rove(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const choices = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button")];
  const place = choices.findIndex((one) => one === document.activeElement);
  if (!step || place < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  choices.at((place + step) % choices.length)?.focus();
}

let deckHighest = 0;
/** Whether there is any deck to draw cards from. */
export const hasDeck = () => deckHighest > 0;
/** @type {Promise<void> | null} */
let emotes = null;
/**
 * Puts symbols into the page: what all pages have, and the deck with this highest value, or the emotes.
 * @param {number | "emotes"} [wanted]
 */
export async function loadArt(wanted = 0) {
  const holder = /** @type {HTMLElement} */ (document.getElementById("art"));
  if (!holder.querySelector("[data-art=common]")) await inject(holder, "common");
  if (wanted === "emotes") {
    emotes ??= inject(holder, wanted).catch(() => {
      emotes = null; // perhaps next time
    });
    return emotes;
  }
  const highest = wanted;
  if (highest && highest !== deckHighest) {
    deckHighest = highest;
    const before = holder.querySelectorAll("[data-art]:not([data-art=common], [data-art=emotes])");
    await inject(holder, String(highest));
    for (const old of before) old.remove();
    prepare(COLOURS);
  }
}

/** @param {HTMLElement} holder @param {string} name */
async function inject(holder, name) {
  const text = await (await fetch(asset(`art/${name}.svg`))).text();
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  drawn.setAttribute("data-art", name);
  takePictures(drawn);
  holder.append(document.importNode(drawn, true));
}
