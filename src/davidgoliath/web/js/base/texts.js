// The texts, in the language of the reader: the same catalogues that the rest of the program reads.

import { asset } from "./address.js";
import { LANGUAGES } from "./facts.js";
import { stored } from "./storage.js";

/** @typedef {import("./dom.js").Child} Child */

export const build = document.documentElement.dataset.build ?? "";

/** @type {Record<string, string | Record<string, string>>} */
let catalogue = {};
let plurals = new Intl.PluralRules("en");

/** The language that the reader chose, or that the browser prefers. */
export function language() {
  if (LANGUAGES.includes(stored.settings.language)) return stored.settings.language;
  for (const wish of navigator.languages) if (LANGUAGES.includes(wish.slice(0, 2))) return wish.slice(0, 2);
  return "en";
}

/** What of a catalogue is loaded: what all pages need, and parts that few do. */
const parts = [""];

/**
 * Loads the catalogue of the reader's language.
 * @param {string} [part]  from now on with this one, which only some pages need
 */
export async function loadTexts(part = "") {
  if (!parts.includes(part)) parts.push(part);
  const code = language();
  const loaded = parts.map(async (one) => (await fetch(asset(`texts/${one}${code}.json`))).json());
  catalogue = Object.assign({}, ...(await Promise.all(loaded)));
  plurals = new Intl.PluralRules(code);
  document.documentElement.lang = code;
}

/** @param {string} key */
export function has(key) {
  return key in catalogue;
}

/**
 * A text with its arguments. A text that depends on a number is chosen by `count`.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  return pattern(key, values).replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? isolated(String(values[name])) : whole,
  );
}

const FROM_THE_RIGHT = /^[^\u2068]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name that runs from right to left stays in its place among the words. @param {string} text */
export const isolated = (text) => (FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text);

/** @param {Record<string, string>} names by person */
export const isolatedNames = (names) =>
  Object.fromEntries(Object.entries(names).map(([person, name]) => [person, isolated(name)]));

/**
 * The same with elements among the words, such as a card.
 * @param {string} key
 * @param {Record<string, Child | Child[]>} values
 * @returns {Child[]}
 */
export function rich(key, values) {
  return pattern(key, values)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .flatMap((part) => (part[0] === "{" && values[part.slice(1, -1)]) || part);
}

/** @param {string} key @param {Record<string, unknown>} values */
function pattern(key, values) {
  const text = catalogue[key] ?? key;
  return typeof text === "string" ? text : (text[plurals.select(Number(values.count))] ?? text.other ?? key);
}

/** With a capital letter at the beginning. @param {string} text */
export const capital = (text) => text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);

/** What a server's refusal says. @param {import("./protocol").Reason} reason @param {Record<string, unknown>} values */
export function refusal(reason, values) {
  const worded = `page.refused.${reason}`;
  return t(has(worded) ? worded : `error.${reason}`, values);
}
