// The moments of this game, as they are seen: cards are dealt, a cairn comes down, a face flinches. Only transform and
// opacity.

import { COLOURS } from "../base/cards.js";
import { homeOf, place, visible } from "../base/viewport.js";

const OUT = "cubic-bezier(.2,.8,.2,1)";
const FALL = "cubic-bezier(.6,0,1,.7)";
/** For so much of its fall a cairn leans. */
const LEAN = 0.45;
/** Milliseconds between two cards that are dealt. */
const A_CARD = 28;

/**
 * My cards rise from the tray, one after the other; what is given back lets backs go from the dealer to all others.
 * @param {number} from @param {number} speed
 */
export function deal(from, speed) {
  for (const [place, card] of document.querySelectorAll(".hand li").entries()) {
    card.animate([{ transform: "translateY(130%)", opacity: 0 }, {}], {
      duration: 260 * speed,
      delay: (240 + place * A_CARD) * speed,
      easing: OUT,
      fill: "backwards",
    });
  }
  return () => dealBacks(from, speed);
}

/** @param {number} from @param {number} speed */
function dealBacks(from, speed) {
  const start = homeOf(String(from));
  if (!start) return;
  const seats = new Set(
    [...document.querySelectorAll("[data-seat]")].map((one) => one.getAttribute("data-seat") ?? ""),
  );
  const homes = [...seats].flatMap((seat) => (Number(seat) === from ? [] : (homeOf(seat) ?? [])));
  for (const [place, home] of [...homes, ...homes].entries()) {
    const back = floating("i", "back-of-card", new DOMRect(start.left, start.top, 22, 31));
    const x = home.left - start.left;
    const y = home.top - start.top;
    back
      .animate(
        [
          { transform: "scale(.6)", opacity: 0 },
          { transform: "none", opacity: 1, offset: 0.2 },
          { transform: `translate(${x}px, ${y}px) rotate(${place % 2 ? 200 : 160}deg)`, opacity: 1, offset: 0.85 },
          { transform: `translate(${x}px, ${y}px) rotate(180deg) scale(.6)`, opacity: 0 },
        ],
        { duration: 420 * speed, delay: place * 70 * speed, easing: "ease-in-out", fill: "both" },
      )
      .finished.finally(() => back.remove());
  }
}

/**
 * Something over the page that nobody touches, where this was.
 * @param {string} tag
 * @param {string} kind
 * @param {DOMRect} box
 */
function floating(tag, kind, box) {
  const made = document.createElement(tag);
  made.className = `flying ${kind}`;
  place(made, box);
  document.body.append(made);
  return made;
}

/**
 * Cairns that come down, measured now; what is given back lets them fall.
 * @param {ReturnType<typeof import("./game.js").fallsOf>} falls
 * @param {number} wait  ms until the card is there that brings it down @param {number} thud  and until all lies
 * @param {number} settles  and for how long the dust hangs then
 */
export function fall(falls, wait, thud, settles) {
  const cairns = falls.flatMap(({ seat, colour, from, to }) => {
    const pile = visible(`[data-pile="${seat}${COLOURS[colour]}"]`);
    return pile ? [{ pile, box: pile.getBoundingClientRect(), sizes: sizesOf(pile), from, to }] : [];
  });
  return () => {
    for (const cairn of cairns) topple(cairn, wait, thud - wait, settles);
    for (const seat of new Set(falls.map((one) => one.seat))) flinch(seat, thud, wait);
  };
}

/** What a pile has from the layout around it. @param {HTMLElement} pile @returns {[string, string][]} */
function sizesOf(pile) {
  const style = getComputedStyle(pile);
  return ["--stone-h", "--cairn-h", "--cell-h"].map((name) => [name, style.getPropertyValue(name)]);
}

/**
 * A cairn comes down: as it stood, it leans and falls, while the rubble that is there already isn't seen until the
 * thud.
 * @param {{ pile: HTMLElement, box: DOMRect, sizes: [string, string][], from: number, to: number }} fall
 * @param {number} wait @param {number} time @param {number} settles
 */
function topple({ pile, box, sizes, from, to }, wait, time, settles) {
  const cairn = /** @type {HTMLElement} */ (pile.cloneNode(true));
  cairn.removeAttribute("data-pile");
  cairn.inert = true;
  cairn.classList.add("flying", "falling");
  place(cairn, box);
  for (const [name, value] of sizes) cairn.style.setProperty(name, value);
  document.body.append(cairn);
  const stones = [...cairn.querySelectorAll(".lump"), ...[...cairn.querySelectorAll(".stone")].reverse()]; // from below
  const loom = `scale(${1.15 + 0.4 * Math.min(1, Math.max(0, from - to) / 16)})`;
  cairn.animate(
    [
      { transform: "none" },
      { transform: loom, offset: 0.5, easing: FALL },
      { transform: loom, offset: 0.85 },
      { transform: "none" },
    ],
    {
      duration: wait + time,
    },
  );
  for (const [place, stone] of stones.entries()) {
    const side = place % 2 ? 1 : -1;
    const leaning = place ? "translate(2px, 0) rotate(9deg)" : "rotate(3deg)";
    const down = place ? box.height * 0.3 : 2;
    stone.animate(
      [
        { transform: "none", opacity: 1, easing: OUT },
        { transform: leaning, opacity: 1, offset: LEAN, easing: FALL },
        {
          transform: `translate(${side * box.width * 0.3}px, ${down}px) rotate(${side * (place ? 115 : 40)}deg)`,
          opacity: 1,
        },
      ],
      { duration: time, delay: wait, fill: "both" },
    );
  }
  pile.setAttribute("data-falls", ""); // what is rendered anew in it too
  setTimeout(() => {
    cairn.remove();
    pile.removeAttribute("data-falls");
    thud(pile, box, from, to, settles);
  }, wait + time);
}

/**
 * The stones lie: rubble bounces, dust rises, the number rolls down.
 * @param {HTMLElement} pile @param {DOMRect} box @param {number} from @param {number} to @param {number} time
 */
function thud(pile, box, from, to, time) {
  if (!pile.isConnected) return;
  const number = pile.querySelector("b, .worth");
  const rubble = pile.querySelector(".gravel, svg:not(.suit)");
  rubble?.animate(
    [
      { transform: "translateY(-6px) scale(.85, 1.2)", easing: FALL },
      { transform: "scale(1.12, .7)", offset: 0.4, easing: OUT },
      { transform: "scale(.97, 1.08)", offset: 0.7 },
      { transform: "none" },
    ],
    { duration: 0.6 * time },
  );
  const dust = floating(
    "i",
    "dust",
    new DOMRect(box.left - box.width * 0.2, box.bottom - (pile.matches(".cell") ? 19 : 36), box.width * 1.4, 26),
  );
  dust.animate(
    [
      { transform: "scale(.4, .3)", opacity: 0.95, easing: OUT },
      { transform: "translateY(-3px) scale(.95, .8)", opacity: 0.6, offset: 0.4 },
      { transform: "translateY(-7px) scale(1.15, 1)", opacity: 0 },
    ],
    { duration: time, fill: "forwards" },
  );
  setTimeout(() => dust.remove(), time);
  if (number instanceof HTMLElement) roll(number, from, to, 0.75 * time);
}

/**
 * A number goes to what it is now, as on a counter. @param {HTMLElement} number @param {number} from @param {number} to
 * @param {number} time
 */
function roll(number, from, to, time) {
  const box = number.getBoundingClientRect();
  const steps = Math.min(8, Math.max(1, Math.abs(from - to)));
  const counter = floating("span", "roll", new DOMRect(box.left - 10, box.top, box.width + 20, box.height));
  const strip = document.createElement("span");
  for (let step = 0; step <= steps; step++) {
    const shown = document.createElement("span");
    shown.textContent = String(Math.round(from + ((to - from) * step) / steps));
    strip.append(shown);
  }
  counter.append(strip);
  const { fontSize, fontWeight, color } = getComputedStyle(number);
  Object.assign(counter.style, { fontSize, fontWeight, color, lineHeight: `${box.height}px` });
  number.animate([{ opacity: 0 }, { opacity: 0 }], time);
  strip.animate([{ transform: "none" }, { transform: `translateY(${-box.height * steps}px)` }], {
    duration: time,
    easing: OUT,
    fill: "forwards",
  });
  setTimeout(() => counter.remove(), time);
}

/** A face that was robbed, or whose cairn fell. @param {number} seat @param {number} wait @param {number} time */
export function flinch(seat, wait, time) {
  const steps = [
    "none",
    "translate(-3px, 1px) rotate(-9deg)",
    "translate(3px, 0) rotate(7deg)",
    "translateX(-2px) rotate(-4deg)",
    "none",
  ];
  visible(`[data-seat="${seat}"]`)?.animate(
    steps.map((transform) => ({ transform })),
    { duration: time, delay: wait },
  );
}
