// The score pad that runs in this browser: what is on it, every step of it, and where somebody is writing. It is kept
// after each tap, so that nothing is lost when the browser closes.

import { COLOURS } from "../base/cards.js";
import { inOrder, nothing, padJson, parsePad, parsePile, written } from "./format.js";
import { reckon } from "./scoring.js";

/**
 * @typedef {import("./scoring.js").Pad} Pad
 * @typedef {import("./scoring.js").Pile} Pile
 *
 * @typedef {object} Place    where somebody writes
 * @property {number} deal
 * @property {number} seat
 * @property {boolean} scored  the deal's scores are shown, not its keys
 *
 * @typedef {{ at: Place, deal: number, before: string[] | null } | { at: Place, whole: string | null }} Step
 *   what to put back: a deal, null if it wasn't there, or the whole pad
 */

const KEY = "dg-pad";
const MOST_STEPS = 500;

export const book = {
  /** @type {Pad | null} */
  pad: null,
  /** @type {Place} */
  at: { deal: 0, seat: 0, scored: false },
  /** @type {Step[]} */
  past: [],
  /** Only the number of cards is noted, and values where they count. */
  quick: false,
  /** @type {string[]} who played last, for the next pad */
  names: [],
};

read();

/** Takes up what is kept: on another page of this browser it may have changed. */
export function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const { pad = null, at = book.at, past = [], quick = false, names = [] } = kept;
    Object.assign(book, { pad: pad && parsePad(pad), at, past, quick, names });
    fitPlace();
  } catch {
    // no storage here, or nothing that we can read: the pad begins anew
  }
}

function save() {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...book, pad: book.pad && padJson(book.pad) }));
  } catch {
    // private windows may refuse: it lasts as long as the page
  }
}

/** The place exists on the pad. */
function fitPlace() {
  const { pad, at } = book;
  if (!pad) return;
  at.deal = Math.min(at.deal, pad.deals.length - 1);
  at.seat = Math.min(at.seat, pad.names.length - 1);
}

/** @param {Step} step */
function remember(step) {
  book.past.push(step);
  if (book.past.length > MOST_STEPS) book.past.shift();
}

/** Another pad instead of this one, or none. @param {Pad | null} pad */
export function replacePad(pad) {
  remember({ at: { ...book.at }, whole: book.pad && padJson(book.pad) });
  book.pad = pad;
  if (pad) {
    if (!pad.deals.length) pad.deals.push(pad.names.map(nothing));
    book.names = [...pad.names, ...book.names.slice(pad.names.length)];
    const last = pad.deals.length - 1;
    book.at = { deal: last, seat: 0, scored: reckon(pad).deals[last].complete };
  }
  save();
}

/** Other names, rules or first dealer for this pad. @param {Partial<Pad>} setup */
export function changeSetup(setup) {
  if (!book.pad) return;
  const { at } = book;
  replacePad({ ...book.pad, ...setup });
  book.at = at;
  save();
}

/** @param {number} deal @param {Pile[]} piles */
function changeDeal(deal, piles) {
  const { pad, at } = book;
  if (!pad) return;
  remember({ at: { ...at }, deal, before: pad.deals[deal]?.map(written) ?? null });
  pad.deals[deal] = piles;
}

export const canUndo = () => book.past.length > 0;

/** Takes the last step back, and shows where that was. */
export function undo() {
  const step = book.past.pop();
  if (!step) return;
  if ("whole" in step) book.pad = step.whole === null ? null : parsePad(step.whole);
  else if (book.pad && step.before) book.pad.deals[step.deal] = step.before.map(parsePile);
  else book.pad?.deals.pop();
  book.at = step.at;
  fitPlace();
  save();
}

/** Where to write next; not a step of the pad. @param {Partial<Place>} place */
export function turnTo(place) {
  book.at = { ...book.at, ...place };
  save();
}

/** @param {boolean} quick */
export function setQuick(quick) {
  book.quick = quick;
  save();
}

/** A new deal at the end. */
export function nextDeal() {
  const { pad } = book;
  if (!pad) return;
  changeDeal(pad.deals.length, pad.names.map(nothing));
  turnTo({ deal: pad.deals.length - 1, seat: 0, scored: false });
}

/** Whose a card is: -1 is nobody's. @param {Pile[]} piles @param {number} colour @param {number} value */
export const ownerOf = (piles, colour, value) => piles.findIndex((pile) => pile[colour].includes(value));

/** What the one who is asked has of a colour. @param {number} colour @param {number[]} values */
function setCell(colour, values) {
  const { pad, at } = book;
  if (!pad) return;
  changeDeal(at.deal, withCell(pad.deals[at.deal], at.seat, colour, values));
  save();
}

/** @param {Pile[]} piles @param {number} seat @param {number} colour @param {number[]} values */
const withCell = (piles, seat, colour, values) =>
  piles.map((pile, who) =>
    who === seat ? pile.map((old, place) => (place === colour ? [...values].sort(inOrder) : old)) : pile,
  );

/**
 * Gives a card to the one who is asked, or takes it back. Nothing happens where it isn't free.
 * @param {number} colour @param {number} value
 * @returns {{ refused: "taken", owner: number } | { refused: "full" } | null}
 */
export function tap(colour, value) {
  const { pad, at, quick } = book;
  if (!pad) return null;
  const piles = pad.deals[at.deal];
  const mine = piles[at.seat][colour];
  const owner = ownerOf(piles, colour, value);
  if (owner === at.seat) {
    const rest = mine.filter((own) => own !== value);
    setCell(colour, quick ? [...rest, 0] : rest);
  } else if (owner >= 0) {
    return { refused: "taken", owner };
  } else if (mine.includes(0) || quick) {
    // one of those that are known by number
    setCell(colour, [...mine.toSpliced(mine.includes(0) ? mine.indexOf(0) : 0, 1), value]);
  } else if (reckon(pad).deals[at.deal].left[colour] < 1) {
    return { refused: "full" };
  } else {
    setCell(colour, [...mine, value]);
  }
  return null;
}

/** Takes a card from whoever has it, on purpose. @param {number} colour @param {number} value */
export function move(colour, value) {
  const { pad, at, quick } = book;
  if (!pad) return;
  const piles = pad.deals[at.deal];
  const owner = ownerOf(piles, colour, value);
  const theirs = piles[owner][colour].filter((own) => own !== value);
  const mine = piles[at.seat][colour];
  const left = withCell(piles, owner, colour, quick ? [...theirs, 0] : theirs);
  const kept = mine.includes(0) ? mine.toSpliced(mine.indexOf(0), 1) : quick ? mine.slice(1) : mine;
  changeDeal(at.deal, withCell(left, at.seat, colour, [...kept, value]));
  save();
}

/** So many cards of a colour; false where there aren't as many. @param {number} colour @param {number} count */
export function setCount(colour, count) {
  const { pad, at } = book;
  if (!pad) return true;
  const mine = pad.deals[at.deal][at.seat][colour];
  if (count === mine.length) return true;
  if (count - mine.length > reckon(pad).deals[at.deal].left[colour]) return false;
  const known = mine.filter(Boolean);
  const kept = known.length > count ? [] : known; // which of them it would be, nobody knows
  setCell(colour, [...kept, ...Array(count - kept.length).fill(0)]);
  return true;
}

/** Everything of one deal that nobody has, by colour. @param {Pile[]} piles @param {number} highest */
export function leftOver(piles, highest) {
  const values = Array.from({ length: highest }, (_, place) => place + 1);
  return COLOURS.map((_, colour) => values.filter((value) => ownerOf(piles, colour, value) < 0));
}
