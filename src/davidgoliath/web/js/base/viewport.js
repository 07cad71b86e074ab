// The room that a page has. It is looked up when it changes, since to ask in the middle of a render costs a layout.

import { draw } from "./router.js";

const panels = matchMedia("(min-width: 700px) and (min-height: 600px)");
const side = matchMedia("(min-width: 1100px) and (min-height: 600px)");

/** In pixels; and whether there is room for a panel for each player, and for a dialog at the side. */
export const viewport = { wide: 0, high: 0, panels: false, side: false };

function measure() {
  const { clientWidth: wide, clientHeight: high } = document.documentElement;
  Object.assign(viewport, { wide, high, panels: panels.matches, side: side.matches });
}

addEventListener("resize", measure);
for (const query of [panels, side])
  query.addEventListener("change", () => {
    measure();
    draw();
  });
measure();

const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    if (!(target instanceof HTMLElement)) continue;
    target.style.setProperty("--wide", `${contentRect.width}px`);
    target.style.setProperty("--high", `${contentRect.height}px`);
  }
});

/** Tells an element's style how large it is, from now on. @param {Element} element */
export const tellSize = (element) => watcher.observe(element);

/** The first of these that is seen. @param {string} selector @returns {HTMLElement | null} */
export function visible(selector) {
  for (const found of document.querySelectorAll(selector)) {
    if (found instanceof HTMLElement && found.offsetParent) return found;
  }
  return null;
}

/** Where a seat's face is. @param {string} seat */
export function homeOf(seat) {
  return visible(`[data-seat="${seat}"]`)?.getBoundingClientRect();
}

/** Puts something over the page. @param {HTMLElement} element @param {DOMRect} box */
export function place(element, { left, top, width, height }) {
  for (const [name, value] of Object.entries({ left, top, width, height }))
    element.style.setProperty(name, `${value}px`);
}
