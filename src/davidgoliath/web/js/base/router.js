// Which page an address shows. A page is `{ enter, leave, view, title }`; `draw` renders it anew, once for many
// changes.

import { addressOf, href, path as pathShown } from "./address.js";
import { forgetAll, patch } from "./dom.js";
import { t } from "./texts.js";

/**
 * @typedef {object} Page
 * @property {(id: string) => void | Promise<void>} [enter]
 * @property {() => void} [leave]
 * @property {() => import("./dom.js").Inner} view
 * @property {() => string} [title]
 * @property {() => void} [drawn]  after each render
 * @property {() => void} [back]   one step back within the page, as when a dialog closes
 *
 * @typedef {{ path: string, module: string, styles?: string[] }} Row  of the table of routes
 */

/** After so many ms the page stands, and there is time for what is needed later. */
export const SETTLED = 3000;
/** Of a part that isn't fetched before: browsers know no longer time. */
export const WHEN_WANTED = 2 ** 31 - 1;

/**
 * Which module shows an address, and with which styles of its own: `routes.json`, which the server puts into the page.
 */
const routes = /** @type {Row[]} */ (JSON.parse(document.getElementById("routes")?.textContent ?? "[]")).map(
  ({ path, ...row }) => ({ ...row, path: new RegExp(`^${path}$`) }),
);
/** @type {Page | null} */
let current = null;
let shown = "";
/** @type {{ notFound: Page, offline: Page }} shown where an address isn't ours, and when a page can't be fetched */
let otherwise;
let waiting = false;
/** Whether the last thing touched was a key: then the focus must never be lost, as when a button goes that had it. */
export const input = { byKeyboard: false };
const still = matchMedia("(prefers-reduced-motion: reduce)");
const app = /** @type {Element} */ (document.getElementById("app"));

/**
 * A stylesheet stands in the page from the start, in its place among the others, but isn't fetched before it is wanted.
 * @param {string} style
 */
async function wear(style) {
  const link = document.querySelector(`link[href$="/css/${style}"]`);
  if (!(link instanceof HTMLLinkElement) || !link.disabled) return;
  await new Promise((worn, failed) => {
    Object.assign(link, { onload: worn, onerror: failed });
    link.disabled = false;
  }).catch((why) => {
    link.disabled = true; // to be asked for again
    throw why;
  });
}

/** Goes to an address of ours. @param {string} path @param {{ replace?: boolean }} [how] */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"]({}, "", href(path));
  void show().then(() => scrollTo(0, 0));
}

/** Shows the page of the address. */
export async function show() {
  const address = pathShown();
  const route = routes.find(({ path }) => path.test(address));
  const page = route ? await fetched(route).catch(() => otherwise.offline) : otherwise.notFound;
  if (pathShown() !== address) return; // somebody was quicker than the network
  const turn = () => {
    current?.leave?.();
    current = page;
    shown = address;
    forgetAll();
    page.enter?.(route?.path.exec(address)?.[1] ?? "");
    render();
  };
  if (!current || still.matches || !document.startViewTransition) return turn();
  await document.startViewTransition(turn).updateCallbackDone;
}

/** A page with its styles. @param {{ module: string, styles?: string[] }} route @returns {Promise<Page>} */
async function fetched({ module, styles = [] }) {
  const [{ page }] = await Promise.all([import(`../${module}`), ...styles.map(wear)]);
  return page;
}

/**
 * A part of a page that is fetched when it is first wanted, or when all else is there. Until then it is null.
 * @template T @param {() => Promise<T>} load @param {string[]} [styles] @param {number} [wait]  for so many ms at most
 * @returns {() => T | null}
 */
export function part(load, styles = [], wait = SETTLED) {
  /** @type {T | null} */
  let here = null;
  let coming = false;
  const want = () => {
    if (!coming) void get();
    return here;
  };
  const get = async () => {
    coming = true;
    try {
      [here] = await Promise.all([load(), ...styles.map(wear)]);
      draw();
    } catch {
      coming = false; // the next one who wants it asks again
    }
  };
  setTimeout(want, wait);
  return want;
}

/** Renders the page soon. */
export function draw() {
  if (waiting) return;
  waiting = true;
  queueMicrotask(() => {
    waiting = false;
    render();
  });
}

function render() {
  if (!current) return;
  patch(app, current.view());
  const title = current.title?.();
  const whole = title ? `${title} · ${t("page.title")}` : t("page.title");
  if (document.title !== whole) document.title = whole; // to write it is a change of the page, whatever it says
  current.drawn?.();
}

for (const kind of ["keydown", "pointerdown"]) {
  addEventListener(kind, () => Object.assign(input, { byKeyboard: kind === "keydown" }), true);
}

/** Shows the page of the address from now on. @param {typeof otherwise} pages */
export function start(pages) {
  otherwise = pages;
  addEventListener("popstate", () => {
    if (shown === pathShown() && current?.back) current.back();
    else void show();
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || link.download || link.target) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const address = addressOf(link);
    if (!address) return;
    event.preventDefault();
    go(address);
  });
  void show();
}
