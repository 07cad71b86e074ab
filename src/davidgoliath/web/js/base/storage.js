// What this browser keeps: who its person is, whom it was before, how they like it, what they chose last. Besides it
// there are only the score pad, and finished matches if one wishes so (`kept.js`).

import { own } from "./address.js";
import { LANGUAGES } from "./facts.js";

/**
 * @typedef {"instant" | "quick" | "normal" | "slow"} Speed
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {string} language    "auto", or one of ours
 * @property {Speed} speed
 * @property {boolean} confirm    a first tap picks a card, a second one plays it
 * @property {number} stay        seconds that a finished trick stays; 0: until a tap
 * @property {boolean} forced     a card without an alternative is played by itself
 * @property {boolean} sound
 * @property {boolean} reactions  what bots say is shown
 * @property {boolean} shortcuts  single keys
 * @property {boolean} skip       arrow keys pass over cards that can't be played
 *
 * @typedef {{ token: string, person?: string, name?: string, table?: string }} Identity
 *
 * @typedef {object} Stored
 * @property {string} [token]
 * @property {string} [person]
 * @property {string} [name]
 * @property {string} [table]     where the person sits
 * @property {Identity[]} [past]  whom this browser was before, the latest first
 * @property {{ players: number, bot: string, rules: string }} last
 * @property {Settings} settings
 * @property {boolean} [learnt]
 * @property {boolean} [soundOffered]
 * @property {string[]} [beaten]   the levels of bots that were, for the ladder
 * @property {boolean} [keepsMatches]  whether finished matches are kept here: see `kept.js`
 * @property {Record<string, string>} [shares]  in shuffles, by their commitment
 */

/** What settings may be that aren't on or off. @type {Record<"theme" | "language" | "speed" | "stay", unknown[]>} */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  language: ["auto", ...LANGUAGES],
  speed: ["instant", "quick", "normal", "slow"],
  stay: [0, 2, 4],
};

const KEY = own("dg");
const MOST_PAST = 5;
/** What goes with the person. @type {("token" | "person" | "name" | "table")[]} */
const PERSONAL = ["token", "person", "name", "table"];

/** @type {Stored} */
export const stored = {
  last: { players: 4, bot: "", rules: "classic" },
  settings: {
    theme: "auto",
    language: "auto",
    speed: "normal",
    confirm: true,
    stay: 4,
    forced: false,
    sound: false,
    reactions: true,
    shortcuts: true,
    skip: false,
  },
};

read();
addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  const { token, person, name, table } = stored;
  read();
  const lost = stored.past?.[0];
  if (token && !stored.person && lost?.person === person && lost?.token !== token) {
    be({ token, person, name, table }); // the other tab knew nothing yet of our new token, and gave the old one up
  } else if (person && person !== stored.person) location.reload(); // nothing of whom we were stays here
});

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const key of PERSONAL) delete stored[key];
    delete stored.past;
    Object.assign(stored, kept, {
      last: { ...stored.last, ...kept.last },
      settings: { ...stored.settings, ...kept.settings },
    });
  } catch {
    // no storage here, or not ours: this visit begins anew
  }
}

/** Whether this browser keeps something of ours, or of the page with another key. */
export function keeps(key = KEY) {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/** Keeps what `stored` says now. */
export function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // private windows may refuse: it lasts as long as the page
  }
}

/** Forgets the person; how this browser likes it stays. */
export function forget() {
  for (const key of PERSONAL) delete stored[key];
  delete stored.shares;
  keep();
}

/** Is nobody for now, and keeps whom it was, so that one can go back. */
export function setAside() {
  const { token, person, name, table } = stored;
  if (token && (person || name)) stored.past = [{ token, person, name, table }, ...others(person)].slice(0, MOST_PAST);
  for (const key of PERSONAL) delete stored[key];
  keep();
}

/** Becomes somebody else, as whoever plays here has wished. @param {Identity} identity */
export function be(identity) {
  if (!stored.token || stored.person === identity.person) stored.past = others(identity.person);
  else setAside();
  Object.assign(stored, identity);
  dropPast(identity);
}

/** Forgets whom it was once. @param {Identity} identity */
export function dropPast({ person }) {
  stored.past = others(person);
  keep();
}

/** @param {string | undefined} person */
const others = (person) => (stored.past ?? []).filter((past) => past.person !== person);

/**
 * The server doesn't know this token: whether that was ours until now. It may be that another tab has a new one.
 * @param {string | undefined} token
 */
export function isLost(token) {
  read();
  if (!token || stored.token !== token) return false;
  setAside();
  return true;
}

/** How much longer or shorter than usual everything takes. */
export function stretch() {
  return { instant: 0, quick: 0.5, normal: 1, slow: 1.8 }[stored.settings.speed];
}
