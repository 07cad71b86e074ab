// How far the server of a site is, at the edge of every page until it is there.

import { has, t } from "../base/texts.js";

const LATER = 50;
let later = 0;
/** @type {HTMLElement | null} */
let bar = null;

/** @param {import("./worker.js").State} state @param {number} bytes */
export function showProgress(state, bytes) {
  if (state.type === "ready") {
    clearTimeout(later);
    bar?.remove();
    bar = null;
    return;
  }
  if (!has("site.loading")) {
    clearTimeout(later); // the words come first
    later = setTimeout(showProgress, LATER, state, bytes);
    return;
  }
  if (!bar) {
    bar = document.createElement("aside");
    bar.className = "site-loading";
    bar.append(document.createElement("span"), document.createElement("progress"));
    document.body.append(bar);
  }
  const [words, progress] = /** @type {[HTMLElement, HTMLProgressElement]} */ ([...bar.children]);
  if (state.type === "failed") {
    words.textContent = t("site.failed");
    words.setAttribute("role", "alert");
    return progress.remove();
  }
  const share = Math.min(1, state.done / bytes);
  words.textContent = share < 1 ? t("site.loading", { percent: Math.floor(share * 100) }) : t("site.starting");
  progress.setAttribute("aria-label", t("site.starting"));
  if (share < 1) progress.value = share;
  else progress.removeAttribute("value");
}
