// What this browser keeps: who its person is, how they like it, what they chose last. Nothing else is stored anywhere.

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
 * @property {boolean} shortcuts  single keys
 *
 * @typedef {object} Own
 * @property {string} [token]
 * @property {string} [person]
 * @property {string} [name]
 * @property {string} [table]     where the person sits
 * @property {{ players: number, bot: string, rules: string }} last
 * @property {Settings} settings
 * @property {boolean} [learnt]
 * @property {Record<string, string>} [shares]  in shuffles, by their commitment
 */

const KEY = "dg";

/** @type {Own} */
export const own = {
  last: { players: 4, bot: "casual", rules: "classic" },
  settings: {
    theme: "auto",
    language: "auto",
    speed: "normal",
    confirm: true,
    stay: 4,
    forced: false,
    sound: false,
    shortcuts: true,
  },
};

read();
addEventListener("storage", (event) => event.key === KEY && read());

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    Object.assign(own, kept, { last: { ...own.last, ...kept.last }, settings: { ...own.settings, ...kept.settings } });
  } catch {
    // no storage here, or not ours: this visit begins anew
  }
}

/** Keeps what `own` says now. */
export function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(own));
  } catch {
    // private windows may refuse: it lasts as long as the page
  }
}

/** Forgets the person; how this browser likes it stays. */
export function forget() {
  delete own.token;
  delete own.person;
  delete own.name;
  delete own.table;
  delete own.shares;
  keep();
}

/** How much longer or shorter than usual everything takes. */
export function pace() {
  return { instant: 0, quick: 0.5, normal: 1, slow: 1.8 }[own.settings.speed];
}
