// What pages have in common: the bar at the top, the languages, light and dark.

import { h } from "../base/dom.js";
import { LANGUAGES } from "../base/facts.js";
import { draw, go } from "../base/router.js";
import { keep, stored } from "../base/storage.js";
import { language, loadTexts, t } from "../base/texts.js";
import { icon, iconButton, rove } from "./pieces.js";

/** @typedef {import("../base/dom.js").Inner} Inner */

/**
 * A page of paper panels on plain sand.
 * @param {string} title
 * @param {Inner} inner
 * @param {{ kind?: string, more?: Inner }} [how]
 */
export function frame(title, inner, { kind = "", more } = {}) {
  return h(
    "div",
    { class: `page ${kind}`, key: kind },
    h(
      "div",
      { class: "in column" },
      h("header", { class: "top" }, homeLink(), h("h1", { class: "grow" }, title), more),
      h("main", null, inner),
    ),
  );
}

/** The way home. */
export const homeLink = () =>
  h("a", { class: "icon", href: "/", "aria-label": t("page.home"), title: t("page.home") }, icon("back"));

/** Languages, theme and settings. */
export function tools() {
  const dark = isDark();
  return h(
    "header",
    { class: "top" },
    h(
      "div",
      { class: "lang", role: "group", "aria-label": t("page.language"), on: { keydown: rove } },
      LANGUAGES.map((code) =>
        h(
          "button",
          {
            type: "button",
            key: code,
            lang: code,
            "aria-pressed": String(code === language()),
            tabindex: code === language() ? "0" : "-1",
            "aria-label": languageName(code),
            on: { click: () => speak(code) },
          },
          code.toUpperCase(),
        ),
      ),
    ),
    h("span", { class: "grow" }),
    iconButton(dark ? "sun" : "moon", t(dark ? "page.theme.light" : "page.theme.dark"), () =>
      paint(dark ? "light" : "dark"),
    ),
    iconButton("gear", t("page.settings"), () => go("/settings")),
  );
}

/** What speakers of a language call it. @param {string} code */
export function languageName(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name[0].toLocaleUpperCase(code) + name.slice(1);
}

/** Another language: "auto" is the browser's. @param {string} code */
export async function speak(code) {
  stored.settings.language = code;
  keep();
  await loadTexts();
  draw();
}

/** Another theme. @param {"auto" | "light" | "dark"} theme */
export function paint(theme) {
  stored.settings.theme = theme;
  keep();
  applyTheme();
  draw();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => {
  applyTheme();
  draw(); // pictures have their tones in them
});

/** Whether it is dark, as the reader wishes or the system has it. */
function isDark() {
  return stored.settings.theme === "auto" ? dark.matches : stored.settings.theme === "dark";
}

export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}
