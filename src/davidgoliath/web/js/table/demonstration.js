// A trick that plays itself, once: for whoever was invited and has never heard of the game. The server has worked out
// who is who after each card, and who takes what.

import { asset } from "../base/address.js";
import { cardColour } from "../base/cards.js";
import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { stretch } from "../base/storage.js";
import { rich, t } from "../base/texts.js";
import { button, chip, role } from "../ui/pieces.js";
import { stoneName } from "./game.js";
import { FLIGHT, flights } from "./motion.js";
import { signed } from "./narrator.js";
import { trickRow } from "./trick.js";

/**
 * @typedef {import("../learn/lessons").Demonstration} Demonstration
 * @typedef {import("../base/dom.js").Child} Child
 */

/** Milliseconds from card to card, and until the trick is taken: all of it takes less than ten seconds. */
const BEAT = 1000;
const REST = 1600;
const YOU = 0;
/** With more players than these, cards need all the room that there is. */
const FEW = 4;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Demonstration[]} */
let known = [];
/** How many cards have fallen, and then whether they are taken. */
let shown = 0;
let taken = false;
let timer = 0;

async function learn() {
  try {
    known = await (await fetch(asset("learn/demonstrations.json"))).json();
    draw();
  } catch {
    // without it the sentence has to do
  }
}
void learn();

/** As it is at a table of so many players. @param {number} players */
export function demonstration(players) {
  const one = known.find((each) => each.players === players);
  if (!one) return null;
  const whole = taken || still.matches;
  const fallen = one.falls.slice(0, whole ? one.falls.length : shown);
  const now = fallen[fallen.length - 1];
  const slots = one.falls.map(({ seat, card }, place) => ({
    seat,
    look: seat,
    name: nameOf(seat),
    card: place < fallen.length ? card : null,
    ghost: false,
    me: false,
    turn: place === fallen.length,
    goliath: now?.goliath === seat,
    david: now?.david === seat,
  }));
  return h(
    "figure",
    {
      class: `demo ${players > FEW ? "many" : ""}`,
      key: `demo ${players}`,
      style: { "--n": players },
      made: (/** @type {Element} */ drawn) => whenSeen(drawn, one),
    },
    h("figcaption", { class: "vh" }, t("page.demo")),
    trickRow(slots),
    h("div", { class: "outcome" }, whole ? results(one) : h("p", null, t("page.demo_playing"))),
    !still.matches && button(t("page.demo_again"), () => begin(one), { disabled: !taken }),
  );
}

/** @param {number} seat */
const nameOf = (seat) => (seat === YOU ? t("page.you") : stoneName(seat));

/** Who takes what, and what it is worth. @param {Demonstration} one */
function results({ falls }) {
  const { goliath, david, taken, card } = falls[falls.length - 1];
  if (!taken || goliath === null || david === null) return null;
  const chips = (/** @type {string[]} */ cards) => cards.flatMap((each) => [" ", chip(each)]).slice(1);
  /**
   * @param {"goliath" | "david"} who @param {number} seat @param {string} key
   * @param {Record<string, Child | Child[]>} values
   */
  const line = (who, seat, key, values) =>
    h(
      "p",
      { key: who, "data-pile": `${seat}${cardColour(card)}` },
      role(who),
      " ",
      rich(key, values),
      " ",
      h("b", { class: "change" }, signed(taken.scores[seat])),
    );
  return [
    line("david", david, "page.demo_david", { prize: chips(taken.toDavid) }),
    line("goliath", goliath, "page.demo_goliath", { name: nameOf(goliath), spoils: chips(taken.toGoliath) }),
  ];
}

/** Begins when somebody can see it. @param {Element} drawn @param {Demonstration} one */
function whenSeen(drawn, one) {
  taken = false;
  shown = 0;
  clearTimeout(timer);
  if (still.matches) return;
  new IntersectionObserver(([seen], observer) => {
    if (!seen.isIntersecting) return;
    observer.disconnect();
    begin(one);
  }).observe(drawn);
}

/** @param {Demonstration} one */
function begin(one) {
  clearTimeout(timer);
  shown = 0;
  taken = false;
  draw();
  next(one);
}

/** @param {Demonstration} one */
function next(one) {
  const all = shown === one.falls.length;
  timer = setTimeout(
    () => {
      if (all) end(one);
      else {
        shown += 1;
        draw();
        next(one);
      }
    },
    all ? REST : BEAT,
  );
}

/** The prize and the spoils go to those who have them. @param {Demonstration} one */
function end({ falls }) {
  taken = true;
  draw();
  const { goliath, david, taken: took } = falls[falls.length - 1];
  const time = FLIGHT * stretch();
  if (time && took && goliath !== null && david !== null)
    requestAnimationFrame(() => flights({ goliath, david, toDavid: took.toDavid }, time)());
}
