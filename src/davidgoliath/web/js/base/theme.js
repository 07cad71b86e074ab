// Light or dark, as the reader wishes or the system has it.

import { draw } from "./router.js";
import { stored } from "./storage.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => {
  applyTheme();
  draw(); // pictures have their tones in them
});

export function isDark() {
  return stored.settings.theme === "auto" ? dark.matches : stored.settings.theme === "dark";
}

export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}
