// The animation layer: after each render it looks what has moved, and lets it travel there. Only transform and opacity.

import { part } from "../base/router.js";
import { stretch } from "../base/storage.js";
import { homeOf, place, visible } from "../base/viewport.js";
import { fallsOf } from "./game.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const app = /** @type {Element} */ (document.getElementById("app"));
/** After so many ms what stands there has been drawn. */
export const DRAWN = 34;
/** How things come to rest. */
const OUT = "cubic-bezier(.2,.8,.2,1)";
/** So many ms a card flies to its pile. */
export const FLIGHT = 420;
/** And so many until a cairn lies there that it has brought down. */
export const THUD = 800;
/** And so many more until its dust is gone. */
const DUST = 600;
/** Without motion, what came down is marked for so long. */
const STILL = 1600;
const DEAL = 700;

const moments = part(() => import("./moments.js"), ["table/moments.css"], 0); // in time for the first deal

/** A task of its own, before the next frame where the browser lets one choose. @param {() => void} act */
function soon(act) {
  if (window.scheduler) void window.scheduler.postTask(act, { priority: "user-blocking" });
  else setTimeout(act);
}

/** @type {{ card: string, from: DOMRect } | null} my card that is about to be played, and where it was */
let lifted = null;
/** @type {Set<string>} the cards in the trick at the last render */
let lying = new Set();

/** @type {number | null} who has just dealt */
let dealer = null;

/** The cards of a new deal are about to come. It says for how many ms. @param {number} seat whose deal it is */
export function dealFrom(seat) {
  dealer = seat;
  return still.matches ? 0 : DEAL * stretch();
}

/** My card is about to leave the hand. @param {string} card */
export function lift(card) {
  const from = visible(`.hand [data-card="${card}"]`)?.getBoundingClientRect();
  lifted = from ? { card, from } : null;
}

/**
 * Follows the cards after a render. Where a card has come, the page is measured in a task of its own, so that neither
 * the render nor the frame takes long; until then the card isn't seen.
 * @param {number} highest @param {boolean} jumps  so much has changed at once that nothing should fly
 */
export function follow(highest, jumps) {
  const speed = stretch();
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
    if (speed && !jumps && !still.matches) soon(moments()?.deal(dealer, speed) ?? (() => {}));
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
  if (still.matches || !stretch()) return;
  const steps = [0, 4, -4, 2, 0].map((by) => ({ transform: `translateX(${by}px)` }));
  visible(`.hand [data-card="${name}"]`)?.animate(steps, { duration: 180 });
}

/**
 * A finished trick goes to the piles: the prize hops to David, the rest slides to Goliath; a cairn that can't bear it
 * comes down. It says for how many ms.
 * @param {import("./game.js").Trick} trick @param {boolean} last  what opens then would lie under the dust
 */
export function take(trick, last) {
  const speed = stretch();
  const falling = fallsOf(trick);
  if (!speed || still.matches) return falling.length ? STILL * speed : 0;
  const fly = flights(trick, FLIGHT * speed);
  const fall = moments()?.fall(falling, FLIGHT * speed, THUD * speed, DUST * speed);
  fly(); // all measured before anything moves
  fall?.();
  if (trick.goliath !== trick.david) moments()?.flinch(trick.goliath, 0, FLIGHT * speed);
  return (fall && falling.length ? THUD + (last ? DUST : DUST / 3) : FLIGHT) * speed;
}

/**
 * Measures how the cards of a trick get to the piles; what it gives lets them go.
 * @param {{ goliath: number, david: number, toDavid: string[] }} trick @param {number} time
 */
export function flights(trick, time) {
  /** @type {(() => void)[]} */
  const moves = [];
  for (const card of document.querySelectorAll("[data-slot]")) {
    if (!(card instanceof HTMLElement) || !card.offsetParent) continue;
    const name = card.dataset.slot ?? "";
    const prize = trick.toDavid.includes(name);
    const target = visible(`[data-pile="${prize ? trick.david : trick.goliath}${name[0]}"]`);
    if (!target) continue;
    const [from, to] = [card, target].map((one) => one.getBoundingClientRect());
    moves.push(() => carry(card, from, to, time, prize));
  }
  return () => {
    for (const move of moves) move();
  };
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
  copy.animate(steps, { duration: time, easing: "ease-in-out", fill: "forwards" });
  setTimeout(() => copy.remove(), time); // a frame that is late holds nothing up
}
