// A score pad as text: the JSON that the command line reads and writes too, checked when it is read, and lines for
// people.

import { COLOURS } from "../base/cards.js";
import { HIGHEST_TARGET, LONGEST_TEXT, MOST_DEALS, OPTIONS, PLAYERS, PRESETS } from "../base/facts.js";
import { refusal, t } from "../base/texts.js";
import { reckon } from "./scoring.js";

/** @typedef {import("./scoring.js").Pad} Pad @typedef {import("./scoring.js").Pile} Pile */

const FORMAT = "davidgoliath-pad/1";
const WORD = /^([RYGBV])(?:\*(\d{1,2})|(\d{1,2}(?:,\d{1,2})*))$/i;

/** A text that is no pad: its message is a sentence for people. */
export class Unfit extends Error {}

/** Nothing captured yet. @returns {Pile} */
export const nothing = () => COLOURS.map(() => []);

/** A pile in the notation: `R*3 Y8 G5,9`. @param {Pile} pile */
export function written(pile) {
  const words = pile.flatMap((values, place) => {
    const noted = values.filter(Boolean);
    const rest = values.length - noted.length;
    return [noted.length ? COLOURS[place] + noted.join() : "", rest ? `${COLOURS[place]}*${rest}` : ""];
  });
  return words.filter(Boolean).join(" ") || "-";
}

/** @param {string} text @returns {Pile} */
export function parsePile(text) {
  const pile = nothing();
  if (text.trim() === "-") return pile;
  for (const word of text.trim().split(/\s+/)) {
    const found = WORD.exec(word);
    if (!found) throw new Unfit(refusal("no_such_card", { text: word }));
    const values = found[2] ? Array(Number(found[2])).fill(0) : found[3].split(",").map(Number);
    pile[COLOURS.indexOf(found[1].toUpperCase())].push(...values);
  }
  return pile.map((values) => values.sort(inOrder));
}

/**
 * Values from the lowest, and behind them cards whose values weren't noted.
 * @param {number} one
 * @param {number} other
 */
export const inOrder = (one, other) => (one || Infinity) - (other || Infinity) || 0;

/** @param {Pad} pad */
export function padJson({ names, rules, dealer, deals }) {
  return JSON.stringify({ format: FORMAT, rules, names, dealer, deals: deals.map((piles) => piles.map(written)) });
}

/** The pad of a JSON text. @param {string} text @returns {Pad} */
export function parsePad(text) {
  const found = parsed(text);
  const { names, rules, dealer, deals } = found;
  if (found.format !== FORMAT || !isRuleSet(rules) || !Array.isArray(names) || !Array.isArray(deals))
    throw unreadable();
  if (!PLAYERS.includes(names.length)) throw new Unfit(refusal("players_range", { players: names.length }));
  if (!names.every(isName) || !isWhole(dealer, 0, names.length - 1) || deals.length > MOST_DEALS) throw unreadable();
  const shaped = deals.every(
    (piles) => Array.isArray(piles) && piles.length === names.length && piles.every((pile) => typeof pile === "string"),
  );
  if (!shaped) throw unreadable();
  const pad = { names, rules, dealer, deals: deals.map((piles) => piles.map(parsePile)) };
  for (const piles of pad.deals) check(pad, piles);
  return pad;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw unreadable();
  }
}

const unreadable = () => new Unfit(t("page.pad_unreadable"));

/** @param {unknown} name */
const isName = (name) =>
  typeof name === "string" && name.trim() === name && name.length > 0 && name.length <= LONGEST_TEXT;

/** @param {unknown} number @param {number} low @param {number} high */
const isWhole = (number, low, high) => Number.isInteger(number) && Number(number) >= low && Number(number) <= high;

/** @param {Record<string, unknown> | null} rules */
function isRuleSet(rules) {
  if (typeof rules !== "object" || !rules) return false;
  const { preset = "classic", deals = "players", target_score: target = null, ...words } = rules;
  const named = Object.keys(PRESETS).some((name) => name === preset);
  const long = deals === "players" || isWhole(deals, 1, MOST_DEALS);
  const ends = target === null || isWhole(target, 1, HIGHEST_TARGET);
  /** @type {[string, string[]][]} */
  const options = Object.entries(OPTIONS);
  const known = Object.entries(words).every(([name, word]) =>
    options.some(([option, choices]) => option === name && choices.some((choice) => choice === word)),
  );
  return named && long && ends && known;
}

/** Every card belongs to one pile at the most. @param {Pad} pad @param {Pile[]} piles */
function check(pad, piles) {
  const { highest } = reckon(pad);
  COLOURS.forEach((colour, place) => {
    /** @type {Map<number, number>} */
    const owners = new Map();
    piles.forEach((pile, seat) => {
      for (const value of pile[place].filter(Boolean)) {
        const card = colour + value;
        if (value > highest) throw new Unfit(refusal("not_in_deck", { card, players: pad.names.length }));
        const owner = owners.get(value);
        if (owner !== undefined) throw new Unfit(refusal("card_taken", { card, name: pad.names[owner] }));
        owners.set(value, seat);
      }
    });
    const count = piles.reduce((sum, pile) => sum + pile[place].length, 0);
    if (count > highest) throw new Unfit(refusal("too_many", { colour: t(`colour.${colour}`), count, most: highest }));
  });
}

/** The match in lines, for a message to friends. @param {Pad} pad */
export function padLines(pad) {
  const { deals, totals, places, most, over } = reckon(pad);
  const complete = deals.filter((deal) => deal.complete);
  const head = t(over ? "pad.text_over" : "pad.text_after", { deal: complete.length, deals: most });
  const rows = totals
    .map((total, seat) => ({ seat, total, place: places[seat] }))
    .sort((one, other) => one.place - other.place);
  const lines = rows.map(({ seat, total, place }) => {
    const sum = complete.length > 1 ? ` (${complete.map((deal) => deal.scores[seat]).join(" + ")})` : "";
    return `${place}. ${pad.names[seat]}: ${total}${sum}`;
  });
  return [head, ...lines].join("\n");
}
