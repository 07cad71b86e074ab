// The animation layer: after each render it looks what has moved, and lets it travel there. Only transform and opacity.

import { COLOURS } from "../base/cards.js";
import { pace } from "../base/storage.js";
import { fallsOf } from "./game.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const app = /** @type {Element} */ (document.getElementById("app"));
/** After so many ms what stands there has been drawn. */
export const DRAWN = 34;
const OUT = "cubic-bezier(.2,.8,.2,1)";
const FALL = "cubic-bezier(.6,0,1,.7)";
/** So long a card flies to its pile; then the cairn leans, falls, and after so many ms in all it lies there. */
const FLIGHT = 420;
const LEAN = 170;
export const THUD = 800;
const ROLL = 460;
/** Without motion, what came down is marked for so long. */
const STILL = 1600;
const DEAL = 700;
const A_CARD = 28;

/** A task of its own, before the next frame where the browser lets one choose. @param {() => void} act */
function soon(act) {
  if (window.scheduler) void window.scheduler.postTask(act, { priority: "user-blocking" });
  else setTimeout(act);
}

/** @type {{ card: string, from: DOMRect } | null} my card that is about to be played, and where it was */
let lifted = null;
/** @type {Set<string>} the cards in the trick at the last render */
let lying = new Set();

/** @param {string} selector @returns {HTMLElement | null} */
function visible(selector) {
  for (const found of document.querySelectorAll(selector)) {
    if (found instanceof HTMLElement && found.offsetParent) return found;
  }
  return null;
}

/** Where a card starts that somebody else plays: at their face. @param {string} seat */
function homeOf(seat) {
  return visible(`[data-seat="${seat}"]`)?.getBoundingClientRect();
}

/** @type {number | null} who has just dealt */
let dealer = null;

/** The cards of a new deal are about to come. It says for how many ms. @param {number} seat whose deal it is */
export function dealFrom(seat) {
  dealer = seat;
  return still.matches ? 0 : DEAL * pace();
}

/**
 * Backs go from the dealer to all others, and my cards rise from the tray, one after the other.
 * @param {number} from @param {number} speed
 */
const deal = (from, speed) => () => {
  for (const [place, card] of document.querySelectorAll(".hand li").entries()) {
    card.animate([{ transform: "translateY(130%)", opacity: 0 }, {}], {
      duration: 260 * speed,
      delay: (240 + place * A_CARD) * speed,
      easing: OUT,
      fill: "backwards",
    });
  }
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
};

/** Something over the page that nobody touches, where this was. @param {string} tag @param {string} kind @param {DOMRect} box */
function floating(tag, kind, box) {
  const made = document.createElement(tag);
  made.className = `flying ${kind}`;
  place(made, box);
  document.body.append(made);
  return made;
}

/** @param {HTMLElement} element @param {DOMRect} box */
function place(element, { left, top, width, height }) {
  for (const [name, value] of Object.entries({ left, top, width, height }))
    element.style.setProperty(name, `${value}px`);
}

/** My card is about to leave the hand. @param {string} card */
export function lift(card) {
  const from = visible(`.hand [data-card="${card}"]`)?.getBoundingClientRect();
  lifted = from ? { card, from } : null;
}

/**
 * Follows the cards after a render. Where a card has come, the page is measured in a task of its own, so that neither the
 * render nor the frame takes long; until then the card isn't seen.
 * @param {number} highest @param {boolean} jumps  so much has changed at once that nothing should fly
 */
export function follow(highest, jumps) {
  const speed = pace();
  const from = lifted;
  /** @type {HTMLElement[]} */
  const came = [];
  const now = new Set();
  for (const card of document.querySelectorAll("[data-slot]")) {
    if (!(card instanceof HTMLElement) || card.closest(".ghost")) continue;
    const name = card.dataset.slot ?? "";
    now.add(name);
    if (!lying.has(name) && !jumps && speed) came.push(card);
  }
  lying = now;
  if (dealer !== null && document.querySelector(".hand li, .watching")) {
    if (speed && !jumps && !still.matches) soon(deal(dealer, speed));
    dealer = null;
  }
  for (const card of came) card.style.visibility = "hidden";
  soon(() => {
    app.getBoundingClientRect(); // the layout, of whatever has changed
    for (const card of came) {
      const name = card.dataset.slot ?? "";
      const mine = from?.card === name;
      const time = (260 + 6 * Number(name.slice(1))) * speed;
      const appear = () => {
        card.style.visibility = "";
        const start = mine ? from.from : homeOf(card.dataset.seatCard ?? "");
        if (start) fly(card, start, time, Number(name.slice(1)) >= highest * 0.8);
      };
      if (mine) appear();
      else setTimeout(appear, DRAWN);
    }
  });
}

/** @param {HTMLElement} card @param {DOMRect} from @param {number} time @param {boolean} heavy */
function fly(card, from, time, heavy) {
  if (still.matches) {
    card.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 80 });
    return;
  }
  const to = card.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const scale = Math.max(0.2, from.width / to.width);
  const end = getComputedStyle(card).transform === "none" ? "" : getComputedStyle(card).transform;
  card.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${scale}) ${end}`, opacity: scale < 0.7 ? 0.2 : 1, easing: OUT },
      { transform: `${end} scale(${heavy ? "1.05, 0.95" : "1.02, 0.98"})`, opacity: 1, offset: 0.85 },
      { transform: end || "none", opacity: 1 },
    ],
    { duration: time },
  );
}

/** A card that can't be played shakes once. @param {string} name */
export function shake(name) {
  if (still.matches || !pace()) return;
  const steps = [0, 4, -4, 2, 0].map((by) => ({ transform: `translateX(${by}px)` }));
  visible(`.hand [data-card="${name}"]`)?.animate(steps, { duration: 180 });
}

/**
 * A finished trick goes to the piles: the prize hops to David, the rest slides to Goliath; a cairn that can't bear it
 * comes down. It says for how many ms.
 * @param {import("./game.js").Trick} trick
 */
export function take(trick) {
  const speed = pace();
  const falling = fallsOf(trick);
  if (!speed || still.matches) return falling.length ? STILL * speed : 0;
  const moves = [];
  for (const card of document.querySelectorAll("[data-slot]")) {
    if (!(card instanceof HTMLElement) || !card.offsetParent) continue;
    const name = card.dataset.slot ?? "";
    const prize = trick.toDavid.includes(name);
    const target = visible(`[data-pile="${prize ? trick.david : trick.goliath}${name[0]}"]`);
    if (target) moves.push({ card, from: card.getBoundingClientRect(), to: target.getBoundingClientRect(), prize });
  }
  const falls = falling.flatMap(({ seat, colour, from, to }) => {
    const pile = visible(`[data-pile="${seat}${COLOURS[colour]}"]`);
    return pile ? [{ pile, box: pile.getBoundingClientRect(), sizes: sizesOf(pile), from, to }] : [];
  });
  const shaken = [trick.goliath === trick.david ? -1 : trick.goliath, ...new Set(falling.map(({ seat }) => seat))];
  for (const { card, from, to, prize } of moves) carry(card, from, to, FLIGHT * speed, prize); // all measured before anything moves
  for (const fall of falls) topple(fall, speed);
  for (const [place, seat] of shaken.entries()) flinch(seat, (place ? THUD : 0) * speed, speed);
  return (falls.length ? THUD + 200 : FLIGHT) * speed;
}

/** What a pile has from the layout around it. @param {HTMLElement} pile @returns {[string, string][]} */
function sizesOf(pile) {
  const style = getComputedStyle(pile);
  return ["--stone-h", "--cairn-h", "--cell-h"].map((name) => [name, style.getPropertyValue(name)]);
}

/**
 * A cairn comes down: as it stood, it leans and falls, while the rubble that is there already isn't seen until the thud.
 * @param {{ pile: HTMLElement, box: DOMRect, sizes: [string, string][], from: number, to: number }} fall
 * @param {number} speed
 */
function topple({ pile, box, sizes, from, to }, speed) {
  const cairn = /** @type {HTMLElement} */ (pile.cloneNode(true));
  cairn.removeAttribute("data-pile");
  cairn.inert = true;
  cairn.classList.add("flying", "falling");
  place(cairn, box);
  for (const [name, value] of sizes) cairn.style.setProperty(name, value);
  document.body.append(cairn);
  const wait = FLIGHT * speed;
  const time = (THUD - FLIGHT) * speed;
  const lean = LEAN / (THUD - FLIGHT);
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
        { transform: leaning, opacity: 1, offset: lean, easing: FALL },
        {
          transform: `translate(${side * box.width * 0.3}px, ${down}px) rotate(${side * (place ? 115 : 40)}deg)`,
          opacity: 1,
        },
      ],
      { duration: time, delay: wait, fill: "both" },
    );
  }
  pile.animate([{ opacity: 0 }, { opacity: 0 }], wait + time);
  setTimeout(() => {
    cairn.remove();
    thud(pile, box, from, to, speed);
  }, wait + time);
}

/**
 * The stones lie: rubble bounces, dust rises, the number rolls down.
 * @param {HTMLElement} pile @param {DOMRect} box @param {number} from @param {number} to @param {number} speed
 */
function thud(pile, box, from, to, speed) {
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
    { duration: 360 * speed },
  );
  const dust = floating("i", "dust", new DOMRect(box.left - box.width * 0.2, box.bottom - 34, box.width * 1.4, 26));
  dust
    .animate(
      [
        { transform: "scale(.4, .3)", opacity: 0.95, easing: OUT },
        { transform: "translateY(-3px) scale(.95, .8)", opacity: 0.6, offset: 0.4 },
        { transform: "translateY(-7px) scale(1.15, 1)", opacity: 0 },
      ],
      { duration: 620 * speed, fill: "forwards" },
    )
    .finished.finally(() => dust.remove());
  if (number instanceof HTMLElement) roll(number, from, to, ROLL * speed);
}

/**
 * A number goes to what it is now, as on a counter. @param {HTMLElement} number @param {number} from @param {number} to
 * @param {number} time
 */
function roll(number, from, to, time) {
  const box = number.getBoundingClientRect();
  const size = getComputedStyle(number);
  const steps = Math.min(8, Math.max(1, Math.abs(from - to)));
  const counter = floating("span", "roll", new DOMRect(box.left - 10, box.top, box.width + 20, box.height));
  const strip = document.createElement("span");
  for (let step = 0; step <= steps; step++) {
    const shown = document.createElement("span");
    shown.textContent = String(Math.round(from + ((to - from) * step) / steps));
    strip.append(shown);
  }
  counter.append(strip);
  Object.assign(counter.style, { font: size.font, color: size.color, lineHeight: `${box.height}px` });
  number.animate([{ opacity: 0 }, { opacity: 0 }], time);
  strip
    .animate([{ transform: "none" }, { transform: `translateY(${-box.height * steps}px)` }], {
      duration: time,
      easing: OUT,
      fill: "forwards",
    })
    .finished.finally(() => counter.remove());
}

/** A face that was robbed, or whose cairn fell. @param {number} seat @param {number} wait @param {number} speed */
function flinch(seat, wait, speed) {
  const steps = [
    "none",
    "translate(-3px, 1px) rotate(-9deg)",
    "translate(3px, 0) rotate(7deg)",
    "translateX(-2px) rotate(-4deg)",
    "none",
  ];
  visible(`[data-seat="${seat}"]`)?.animate(
    steps.map((transform) => ({ transform })),
    { duration: 380 * speed, delay: wait },
  );
}

/**
 * A copy of the card travels over the page, since its place is given to the next trick.
 * @param {HTMLElement} card @param {DOMRect} from @param {DOMRect} to @param {number} time @param {boolean} hops
 */
function carry(card, from, to, time, hops) {
  const copy = /** @type {HTMLElement} */ (card.cloneNode(true));
  copy.removeAttribute("data-slot");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("flying");
  place(copy, from);
  document.body.append(copy);
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  const scale = Math.min(0.5, (to.width / from.width) * 0.7);
  const steps = [
    { transform: "none", opacity: 1 },
    { transform: `translate(${x / 2}px, ${y / 2 - (hops ? 46 : 0)}px) scale(${(1 + scale) / 2})`, opacity: 1 },
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0.15 },
  ];
  copy.animate(steps, { duration: time, easing: "ease-in-out" }).finished.finally(() => copy.remove());
}
