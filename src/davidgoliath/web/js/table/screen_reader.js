// For ears: a log of what is played, and answers to "what is in my hand, in the trick, in the piles?".

import { COLOURS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { cardName } from "../ui/pieces.js";
import { dealOf, fallsOf, myHand, nameOf, scoreOf } from "./game.js";
import { why } from "./narrator.js";
import { sayPile } from "./piles.js";

/** @typedef {import("./game.js").Game} Game */

const LINES = 12;
const QUESTIONS = /** @type {["hand" | "trick" | "piles", string][]} */ ([
  ["hand", "page.voice_hand"],
  ["trick", "page.voice_trick"],
  ["piles", "page.voice_piles"],
]);
/** @type {string[]} */
let lines = [];
let counted = 0;
let asked = "";

export function forgetVoice() {
  lines = [];
  asked = "";
}

/**
 * Says what an event was, if a card was played.
 * @param {Game} game
 * @param {import("../base/protocol").AnyEvent} event
 * @param {boolean} complete
 */
export function tell(game, event, complete) {
  if (event.type !== "played") return;
  const name = (/** @type {number} */ seat) => nameOf(game, seat, t);
  announce(t("page.voice_played", { name: name(event.seat), card: cardName(event.card) }));
  const trick = complete ? dealOf(game)?.tricks.at(-1) : null;
  if (!trick) return;
  announce(why(trick, name));
  for (const { seat, colour, from, to } of fallsOf(trick))
    announce(t("page.falls", { name: name(seat), colour: t(`colour.${COLOURS[colour]}`), from, to }));
}

/** Something else that must not be missed. @param {string} line */
export function announce(line) {
  lines.push(line);
  counted += Math.max(0, lines.length - LINES);
  lines = lines.slice(-LINES);
}

/** Answers a question. @param {Game} game @param {"hand" | "trick" | "piles"} what */
export function answer(game, what) {
  const deal = dealOf(game);
  const name = (/** @type {number} */ seat) => nameOf(game, seat, t);
  if (!deal) asked = t("page.shuffling");
  else if (what === "hand") asked = myHand(game).map(cardName).join(", ") || t("page.voice_nothing");
  else if (what === "trick")
    asked =
      deal.table.map((play) => `${name(play.seat)}: ${cardName(play.card)}`).join(", ") || t("page.voice_nothing");
  else
    asked = game.chairs
      .map((_, seat) => {
        const points = t("page.points_of", { name: name(seat), count: scoreOf(deal, seat) });
        return `${points}: ${COLOURS.map((colour, place) => sayPile(colour, deal.piles[seat][place])).join("; ")}`;
      })
      .join(". ");
}

/** What a screen reader finds: the log, the answer, and buttons to ask. @param {Game} game @param {() => void} draw */
export function voice(game, draw) {
  const ask = (/** @type {"hand" | "trick" | "piles"} */ what) => () => {
    answer(game, what);
    draw();
  };
  return h(
    "div",
    { class: "voice", key: "voice" },
    h(
      "div",
      { role: "log", "aria-label": t("page.voice_log"), class: "vh" },
      lines.map((line, place) => h("p", { key: counted + place }, line)),
    ),
    h("div", { role: "status", class: "vh", "data-asked": "" }, asked),
    h(
      "div",
      { class: "vh asks", role: "group", "aria-label": t("page.voice_ask") },
      QUESTIONS.map(([what, key]) => h("button", { type: "button", key, on: { click: ask(what) } }, t(key))),
    ),
  );
}
