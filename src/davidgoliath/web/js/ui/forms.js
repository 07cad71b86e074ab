// What forms are made of: fields, switches, choices with their labels.

import { h } from "../base/dom.js";
import { LONGEST_NAME } from "../base/facts.js";
import { segments } from "./pieces.js";

/** @typedef {import("../base/dom.js").Inner} Inner */

/**
 * A line to write in.
 * @param {string} id
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {import("../base/dom.js").Props} [props]
 */
export function field(id, label, value, change, props = {}) {
  /** @param {{ target: HTMLInputElement }} event */
  const input = (event) => change(event.target.value);
  return h(
    "p",
    { class: "field" },
    h("label", { for: id }, label),
    h("input", { id, type: "text", autocomplete: "off", ...props, value, on: { input, ...props.on } }),
  );
}

/**
 * A line for somebody's name.
 * @param {string} id
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {import("../base/dom.js").Props} [props]
 */
export const nameField = (id, label, value, change, props = {}) =>
  field(id, label, value, change, {
    maxlength: LONGEST_NAME,
    autocomplete: "nickname",
    autocapitalize: "words",
    spellcheck: "false",
    ...props,
  });

/**
 * Something that is on or off.
 * @param {string} label
 * @param {string} hint
 * @param {boolean} on
 * @param {(on: boolean) => void} change
 */
export function toggle(label, hint, on, change) {
  return h(
    "button",
    { type: "button", class: "toggle", role: "switch", "aria-checked": String(on), on: { click: () => change(!on) } },
    h("span", null, h("b", null, label), hint && h("small", null, hint)),
    h("i", { class: "knob" }),
  );
}

/**
 * A choice with its label beside or above it.
 * @param {string} label
 * @param {[string, Inner][]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 * @param {string} [hint]
 */
export function choice(label, options, chosen, choose, hint) {
  return h(
    "div",
    { class: "opt" },
    h("span", { "aria-hidden": "true" }, label, hint && h("small", null, hint)),
    segments(label, options, chosen, choose),
  );
}

/**
 * A choice among many.
 * @param {string} id
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function list(id, label, options, chosen, choose) {
  /** @param {{ target: HTMLSelectElement }} event */
  const change = (event) => choose(event.target.value);
  return h(
    "div",
    { class: "opt" },
    h("label", { for: id }, label),
    h(
      "select",
      { id, on: { change } },
      options.map(([value, shown]) => h("option", { key: value, value, selected: value === chosen }, shown)),
    ),
  );
}

/**
 * A form whose Enter key does what its button does.
 * @param {import("../base/dom.js").Props} props
 * @param {() => void} send
 * @param {...Inner} inner
 */
export function form(props, send, ...inner) {
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    send();
  };
  return h("form", { novalidate: true, ...props, on: { submit } }, inner);
}

/** What went wrong, said where it did. @param {string} sentence */
export const trouble = (sentence) => h("p", { class: "trouble", role: "alert" }, sentence);
