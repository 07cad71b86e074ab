// The rules of the game, in the reader's language: five pictures that say it all, examples, and what one looks up.

import { asset } from "../base/address.js";
import { COLOURS, cardColour } from "../base/cards.js";
import { h } from "../base/dom.js";
import { CAIRNS, PILE, PILE_SCORE, TRICKS, TRICKS_HIGHEST } from "../base/facts.js";
import { draw } from "../base/router.js";
import { language, t } from "../base/texts.js";
import { cairnFigure } from "../table/piles.js";
import { offline } from "../ui/empty_states.js";
import { frame } from "../ui/frame.js";
import { sections } from "../ui/markdown.js";
import { cardPicture, chip, hasDeck, loadArt, role } from "../ui/pieces.js";

/**
 * @typedef {import("../base/dom.js").Child} Child
 * @typedef {import("../ui/markdown.js").Section} Section
 * @typedef {{ card: string, who: "goliath" | "david" | null }} Played
 */

/** @type {Map<string, Section[] | "coming" | "failed">} */
const rules = new Map();
/** How options are written in records and commands: here they are words. */
const CODES = / \(`[^`]+`\)/g;
/** The highest card of a pile in the examples, as the widest stone. */
const HIGHEST = Math.max(...Object.values(PILE).flatMap((pile) => pile.values));

/** @param {string} code */
async function loadRules(code) {
  rules.set(code, "coming");
  try {
    const answer = await fetch(asset(`texts/rules.${code}.md`));
    if (!hasDeck()) await loadArt(TRICKS_HIGHEST);
    rules.set(code, answer.ok ? sections((await answer.text()).replace(CODES, "")) : "failed");
  } catch {
    rules.set(code, "failed");
  }
  draw();
}

/** The rules in the reader's language. */
export function rulesView() {
  const code = language();
  if (!rules.has(code)) loadRules(code);
  const found = rules.get(code);
  if (found === "failed") return offline(t("page.offline"), () => loadRules(code));
  if (!found || found === "coming") return h("p", { class: "quiet", role: "status" }, t("page.loading"));
  const [title, box, words, numbered, examples, questions, ...more] = found;
  return h(
    "article",
    { class: "rules", key: code },
    title.blocks,
    gist(),
    h("h2", null, examples.title),
    examples.blocks.map((block, place) => h("div", { class: "example", key: place }, drawn(place), block)),
    h("h2", null, questions.title),
    questions.blocks,
    [numbered, words, ...more, box].map(folded),
  );
}

/** What one looks up, and else need not read. @param {Section} section */
const folded = ({ title, blocks }) =>
  h("details", { key: title }, h("summary", null, h("h2", null, title)), h("div", null, blocks));

/** The game in five pictures: the words are those of the tutorial. */
function gist() {
  const trick = played(TRICKS[0]);
  const pictures = /** @type {[string, Child][]} */ ([
    ["follow", following(trick)],
    ["goliath", taking(trick, "goliath")],
    ["david", taking(trick, "david")],
    ["third", tumbling()],
    ["match", counted()],
  ]);
  return h(
    "ol",
    { class: "gist" },
    pictures.map(([name, picture]) =>
      h("li", { key: name }, h("h2", null, t(`learn.${name}.title`)), picture, h("p", null, t(`learn.${name}.text`))),
    ),
  );
}

/** A trick of the examples. @param {string} text @returns {Played[]} */
function played(text) {
  const marks = /** @type {Record<string, "goliath" | "david">} */ ({ "+": "goliath", "-": "david" });
  return text.split(" ").map((one) => ({ card: one.replace(/[+-]$/, ""), who: marks[one.slice(-1)] ?? null }));
}

/** @param {Played} one @param {string} [kind] @param {import("../base/dom.js").Inner} [above] */
const small = ({ card }, kind, above) =>
  h("div", { class: `mini-slot ${kind ?? ""}`, key: card }, h("div", { class: "tag" }, above), cardPicture(card));

/** The card that was led, and which of the others follow it. @param {Played[]} trick */
function following([led, ...others]) {
  const suited = (/** @type {Played} */ one) => cardColour(one.card) === cardColour(led.card);
  return h(
    "div",
    { class: "mini" },
    small(led),
    h("span", { class: "to", "aria-hidden": "true" }, "→"),
    others.map((one) => small(one, suited(one) ? "" : "no")),
  );
}

/** Who is who in a trick, and what they take. @param {Played[]} trick @param {"goliath" | "david"} who */
function taking(trick, who) {
  const takes = trick.filter((one) => (one.who === "goliath") === (who === "david"));
  return [
    h(
      "div",
      { class: "mini" },
      trick.map((one) => small(one, one.who === who ? who : "", one.who === who && role(who))),
    ),
    h(
      "p",
      { class: "takes" },
      role(who),
      h("span", { "aria-hidden": "true" }, "←"),
      takes.map((one) => chip(one.card)),
    ),
  ];
}

/** One stone, two, three. */
function tumbling() {
  return h(
    "div",
    { class: "three" },
    Object.entries(CAIRNS).map(([name, pile]) => cairnFigure(COLOURS[0], pile, HIGHEST, t(`learn.third.${name}`))),
  );
}

/** The pile of the examples, colour by colour. */
function counted() {
  return [
    h(
      "div",
      { class: "three five" },
      Object.entries(PILE).map(([colour, pile]) => cairnFigure(colour, pile, HIGHEST)),
    ),
    h(
      "p",
      { class: "takes" },
      Object.values(PILE).map((pile, place) => `${place ? "+ " : ""}${pile.worth} `),
      "= ",
      h("b", null, PILE_SCORE),
    ),
  ];
}

/** What an example is about, drawn. @param {number} place */
function drawn(place) {
  const trick = TRICKS[place];
  if (!trick) return null;
  return h(
    "p",
    { class: "takes" },
    played(trick).map(({ card, who }) => h("span", { key: card, class: "one" }, chip(card), who && role(who))),
  );
}

/** @type {import("../base/router.js").Page} */
export const page = {
  title: () => t("page.rules"),
  view: () => frame(t("page.rules"), h("section", { class: "box" }, rulesView()), { kind: "reading" }),
};
