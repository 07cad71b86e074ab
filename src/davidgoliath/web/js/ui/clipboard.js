// Something to take along: a line of text with a button that copies it, and the share dialog where there is one.

import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { t } from "../base/texts.js";
import { button, icon } from "./pieces.js";

const STAYS = 2500;
let copied = "";

/** A text that can be copied. @param {string} id @param {string} label @param {string} text */
export function copyLine(id, label, text) {
  const done = copied === text;
  /** @param {{ target: HTMLInputElement }} event */
  const mark = (event) => event.target.select();
  return h(
    "p",
    { class: "with-button copy" },
    h("input", { id, type: "text", readonly: true, "aria-label": label, value: text, on: { focus: mark } }),
    button(
      [icon(done ? "check" : "copy"), h("span", { "aria-live": "polite" }, t(done ? "page.copied" : "page.copy"))],
      () => copy(id, text),
    ),
  );
}

/** @param {string} id @param {string} text */
async function copy(id, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // without https browsers have no clipboard for us: the old way still works
    const line = /** @type {HTMLInputElement} */ (
      document.getElementById(id) ??
        document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text }))
    );
    line.select();
    document.execCommand("copy");
    if (!line.id) line.remove();
  }
  copied = text;
  draw();
  setTimeout(() => {
    copied = "";
    draw();
  }, STAYS);
}

/** The system's share dialog, where there is one. @param {string} title @param {string} url */
export function shareButton(title, url) {
  if (!("share" in navigator)) return null;
  const share = () => navigator.share({ title, url }).catch(() => {}); // people may think better of it
  return button([icon("share"), t("page.share")], share);
}

/**
 * A button that shares lines of text, or copies them where nothing can be shared.
 * @param {string} label
 * @param {string} text
 */
export function textButton(label, text) {
  const done = copied === text;
  const share = () => ("share" in navigator ? navigator.share({ text }).catch(() => {}) : copy("", text));
  return button(
    [icon(done ? "check" : "share"), h("span", { "aria-live": "polite" }, done ? t("page.copied") : label)],
    share,
    { key: "text", "data-act": "text" },
  );
}

/** A button that copies an address. @param {string} label @param {string} url */
export function linkButton(label, url) {
  const done = copied === url;
  return button(
    [icon(done ? "check" : "share"), h("span", { "aria-live": "polite" }, done ? t("page.copied") : label)],
    () => copy("", url),
    { key: "link", "data-act": "link" },
  );
}
