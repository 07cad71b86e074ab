// Light or dark, as the reader wishes or the system has it.

import { own } from "./own.js";
import { draw } from "./router.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => {
  applyTheme();
  draw(); // pictures have their tones in them
});

export function isDark() {
  return own.settings.theme === "auto" ? dark.matches : own.settings.theme === "dark";
}

export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}
