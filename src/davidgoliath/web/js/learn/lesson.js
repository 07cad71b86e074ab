// A lesson of the tutorial as the server worked it out, and its pictures: the trick, stones, the radar, the points.

import { COLOURS, cardColour } from "../base/cards.js";
import { h } from "../base/dom.js";
import { rich, t } from "../base/texts.js";
import { signed } from "../table/narrator.js";
import { cairnFigure, radar } from "../table/piles.js";
import { trickRow } from "../table/trick.js";
import { chip, role, stone, suit } from "../ui/pieces.js";

/**
 * @typedef {import("../base/dom.js").Child} Child
 * @typedef {import("../table/game.js").Pile} Pile
 * @typedef {import("./lessons").Fall} Fall
 * @typedef {import("./lessons").Taken} Taken
 * @typedef {import("./lessons").Play} Play      what becomes of a card
 * @typedef {import("./lessons").Lesson} Lesson
 */

export const YOU = 0;
/** Whom the learner has met by then. @type {Record<string, string[]>} */
const MET = { follow: [], goliath: ["goliath"], all: ["goliath", "david"] };
const STONES = ["one", "two", "three"];
/** Where the learner knows what cards are worth. */
const COUNTED = ["third", "radar", "match"];

/** @param {number | null} seat */
export const nameOf = (seat) => (seat === YOU ? t("page.you") : t(`learn.seat.${seat}`));

/**
 * A text of a lesson, with cards, names and numbers in it.
 * @param {string} key
 * @param {Lesson} lesson
 * @param {Play} [play]
 * @returns {Child[]}
 */
export function tell(key, lesson, play) {
  const falls = [...lesson.trick, ...(play?.falls ?? [])];
  const end = falls.find((fall) => fall.taken) ?? falls[falls.length - 1];
  const of = (/** @type {number | null} */ seat) =>
    chip(falls.find((fall) => fall.seat === seat)?.card ?? falls[0].card);
  const chips = (/** @type {string[]} */ cards) =>
    cards.flatMap((card, place) => (place ? [" ", chip(card)] : [chip(card)]));
  const numbers = Object.entries({ ...lesson.numbers, ...play?.numbers }).map(([name, number]) => [
    name,
    h("b", null, number),
  ]);
  const led = cardColour(falls[0].card);
  const told = rich(key, {
    ...Object.fromEntries(numbers),
    leader: nameOf(lesson.leader),
    led: chip(falls[0].card),
    suit: h("span", { class: "suited" }, suit(led), h("span", { class: "vh" }, t(`colour.${led}`))),
    goliath: nameOf(end.goliath),
    david: nameOf(end.david),
    high: of(end.goliath),
    low: of(end.david),
    mine: play ? chip(play.card) : "",
    prize: chips(end.taken?.toDavid ?? []),
    spoils: chips(end.taken?.toGoliath ?? []),
    last: nameOf(end.seat),
    free: chip(end.card),
    legal: chips(play?.refused?.legal ?? []),
  });
  return glued(told);
}

/** Keeps a full stop on the line of the card before it. @param {Child[]} told @returns {Child[]} */
function glued(told) {
  /** @type {Child[]} */
  const whole = [];
  for (const part of told) {
    const before = whole[whole.length - 1];
    const mark = typeof part === "string" && typeof before === "object" ? /^\u00a0?[.,:;!?…]+/.exec(part) : null;
    if (mark) whole.splice(-1, 1, h("span", { class: "glued" }, before, mark[0]), mark.input.slice(mark[0].length));
    else whole.push(part);
  }
  return whole;
}

/**
 * The trick as it lies after these cards: a second one takes the place of the first.
 * @param {Lesson} lesson
 * @param {Fall[]} fallen  the learner's card, and those behind it
 * @param {boolean} ghost  the learner's card is only picked
 */
export function trick(lesson, fallen, ghost) {
  const falls = [...lesson.trick, ...fallen];
  const start = falls.slice(0, -1).findLastIndex((fall) => fall.taken) + 1;
  const lying = falls.slice(start);
  const now = lying[lying.length - 1];
  const players = lesson.piles.length;
  const met = MET[lesson.id] ?? MET.all;
  return trickRow(
    lesson.piles.map((_, place) => {
      const seat = (lying[0].seat + place) % players;
      return {
        seat,
        look: seat,
        name: nameOf(seat),
        card: lying[place]?.card ?? null,
        ghost: ghost && seat === YOU,
        me: seat === YOU,
        turn: place === lying.length,
        goliath: met.includes("goliath") && now.goliath === seat,
        david: met.includes("david") && now.david === seat,
      };
    }),
  );
}

/**
 * Who takes what; with points, once they are known.
 * @param {Lesson} lesson
 * @param {Play} play
 * @param {Fall} [end]  the last card of the trick
 */
export function takes(lesson, play, end = play.falls.find((fall) => fall.taken)) {
  const taken = end?.taken;
  const met = MET[lesson.id] ?? MET.all;
  if (!taken || !met.length) return null;
  const counted = COUNTED.includes(lesson.id);
  const one = (
    /** @type {"david" | "goliath"} */ who,
    /** @type {number | null} */ seat,
    /** @type {string[]} */ cards,
  ) =>
    h(
      "span",
      { key: who },
      role(who),
      h("b", null, nameOf(seat)),
      cards.map(chip),
      counted && seat !== null && h("b", { class: "change" }, signed(taken.scores[seat] - lesson.scores[seat])),
    );
  return h(
    "span",
    { class: "outs" },
    one("goliath", end.goliath, taken.toGoliath),
    met.includes("david") && one("david", end.david, taken.toDavid),
  );
}

/** Everyone's points at the end of a play. @param {Play} play */
const scoresOf = (play) => play.falls.at(-1)?.taken?.scores ?? [];

/**
 * What a lesson shows besides the trick.
 * @param {Lesson} lesson
 * @param {Play | null} done  what has been played
 * @param {Taken | null} taken  the trick that is over, before the next one
 */
export function picture(lesson, done, taken) {
  if (lesson.id === "third") return stones(lesson, done);
  if (lesson.id === "radar")
    return h("div", { class: "radar" }, radar(lesson.piles.map((_, seat) => radarRow(lesson, done, seat))));
  if (lesson.id === "match") return tally(lesson, done, taken);
  return emblem(lesson);
}

/** The rule as a picture, where there is room for it. @param {Lesson} lesson */
function emblem(lesson) {
  const led = cardColour(lesson.trick[0].card);
  const to = h("span", { class: "to" }, "→");
  const drawn = /** @type {Record<string, Child[]>} */ ({
    follow: COLOURS.map((colour) => h("span", { key: colour, class: colour === led ? "led" : "other" }, suit(colour))),
    goliath: [stone(18, "V giant"), to, stone(6, "G"), stone(10, "R"), stone(4, "G")],
    david: [stone(1, "Y"), to, stone(18, "V giant")],
    ties: [stone(2, "R faint"), to, stone(2, "B")],
  });
  return h("div", { class: `emblem ${lesson.id}`, "aria-hidden": "true" }, drawn[lesson.id]);
}

/** @param {Lesson} lesson @param {Play | null} done @param {number} seat */
function radarRow(lesson, done, seat) {
  const piles = (done ?? lesson).piles[seat];
  const score = (done ? scoresOf(done) : lesson.scores)[seat];
  const taker = lesson.trick[lesson.trick.length - 1].goliath === seat;
  return {
    seat,
    look: seat,
    name: taker ? `▸ ${nameOf(seat)}` : nameOf(seat),
    note: null,
    me: seat === YOU,
    turn: false,
    away: false,
    piles,
    score,
    total: score,
    clock: null,
    swings: new Map(),
    open: () => {},
  };
}

/** One stone, two, three; once played, the learner's own. @param {Lesson} lesson @param {Play | null} done */
function stones(lesson, done) {
  const colour = cardColour(lesson.trick[0].card);
  const place = COLOURS.indexOf(colour);
  const shown = done
    ? [lesson.piles[YOU][place], done.piles[YOU][place]].map((pile, at) =>
        cairnFigure(colour, pile, lesson.highest, t(`learn.third.${at ? "after" : "before"}`)),
      )
    : lesson.examples.map((pile, at) => cairnFigure(colour, pile, lesson.highest, t(`learn.third.${STONES[at]}`)));
  return h("div", { class: "three" }, shown);
}

/** Everyone's points. @param {Lesson} lesson @param {Play | null} done @param {Taken | null} taken */
function tally(lesson, done, taken) {
  const scores = done ? scoresOf(done) : (taken?.scores ?? lesson.scores);
  return h(
    "dl",
    { class: "tally" },
    scores.map((points, seat) =>
      h(
        "div",
        { key: seat, class: `${seat === YOU ? "me" : ""} ${done && done.places[seat] === 1 ? "best" : ""}` },
        h("dt", null, done ? `${done.places[seat]}. ` : "", nameOf(seat)),
        h("dd", null, points, points !== lesson.scores[seat] && h("small", null, signed(points - lesson.scores[seat]))),
      ),
    ),
  );
}
