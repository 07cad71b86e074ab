// What all that moves at the table has in common: where things are, and how long they take.

export const OUT = "cubic-bezier(.2,.8,.2,1)";
/** So long a card flies to its pile; then the cairn leans, falls, and after so many ms in all it lies there. */
export const FLIGHT = 420;
export const THUD = 800;

/** @param {string} selector @returns {HTMLElement | null} */
export function visible(selector) {
  for (const found of document.querySelectorAll(selector)) {
    if (found instanceof HTMLElement && found.offsetParent) return found;
  }
  return null;
}

/** Where a card starts that somebody else plays: at their face. @param {string} seat */
export function homeOf(seat) {
  return visible(`[data-seat="${seat}"]`)?.getBoundingClientRect();
}

/** @param {HTMLElement} element @param {DOMRect} box */
export function place(element, { left, top, width, height }) {
  for (const [name, value] of Object.entries({ left, top, width, height }))
    element.style.setProperty(name, `${value}px`);
}
