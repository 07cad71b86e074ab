// A page is a function of the state: `h` says what should stand there, `patch` changes only what differs. Elements keep
// their identity by key, so focus stays where it is and the animation layer can follow a card.

/**
 * @typedef {Record<string, (event: any) => void>} Handlers  each for events of its own kind
 * @typedef {Record<string, any>} Props  attributes of any kind of element, and what `h` says
 * @typedef {{ tag: string, key?: string | number, props: Props, children: Child[] }} VNode
 * @typedef {VNode | string} Child
 * @typedef {Child | number | null | undefined | false | Inner[]} Inner
 */

import { href } from "./address.js";

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "use", "image", "path", "circle", "ellipse", "g", "line", "polyline", "rect", "text"]);

/** @type {WeakMap<Element, VNode>} */
const made = new WeakMap();
/** @type {WeakMap<Element, Handlers>} */
const heard = new WeakMap();

/**
 * An element that should be there. Properties: `key`, `class`, `on` (event handlers), `style` (an object), `focus`
 * (takes the focus when it appears), `made` (is told when it appears), and attributes; `href` may be an address of
 * ours.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Inner} inner
 * @returns {VNode}
 */
export function h(tag, props, ...inner) {
  /** @type {Child[]} */
  const children = [];
  flatten(inner, children);
  return { tag, key: props?.key, props: props ?? {}, children };
}

/** @type {Map<string, { given: unknown[], node: VNode }>} */
const remembered = new Map();

/**
 * The same element as last time, unless what it is made from has changed: then nothing in it is looked at again.
 * @param {string} name   of this one element in the page
 * @param {unknown[]} given   what it is made from
 * @param {() => VNode} make
 */
export function memo(name, given, make) {
  const { lang, dataset } = document.documentElement;
  const whole = [lang, dataset.theme, ...given];
  const last = remembered.get(name);
  if (last && last.given.length === whole.length && last.given.every((one, place) => one === whole[place]))
    return last.node;
  const node = make();
  remembered.set(name, { given: whole, node });
  return node;
}

/** Another page: what was remembered belongs to the last one. */
export function forgetAll() {
  remembered.clear();
}

/** @param {Inner[]} inner @param {Child[]} into */
function flatten(inner, into) {
  for (const child of inner) {
    if (Array.isArray(child)) flatten(child, into);
    else if (child !== null && child !== undefined && child !== false)
      into.push(typeof child === "number" ? String(child) : child);
  }
}

/**
 * Makes the children of an element what they should be.
 * @param {Element} parent
 * @param {Inner} wanted
 */
export function patch(parent, wanted) {
  /** @type {Child[]} */
  const children = [];
  flatten([wanted], children);
  patchChildren(parent, children);
}

/** @param {Element} parent @param {Child[]} children */
function patchChildren(parent, children) {
  const wanted = new Set(children.map((child) => (typeof child === "string" ? undefined : child.key)));
  /** @type {Map<string | number, Element>} */
  const keyed = new Map();
  for (const element of [...parent.children]) {
    const key = made.get(element)?.key;
    if (key === undefined) continue;
    if (wanted.has(key)) keyed.set(key, element);
    else element.remove(); // first, so that those behind it stay where they are
  }
  let place = parent.firstChild;
  for (const child of children) {
    const found = fitting(child, place, keyed);
    if (found === null) {
      parent.insertBefore(create(child), place);
    } else {
      if (found === place) place = place.nextSibling;
      else parent.insertBefore(found, place);
      if (typeof child !== "string") update(/** @type {Element} */ (found), child);
      else if (found.nodeValue !== child) found.nodeValue = child;
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/**
 * The node that can become this child, if there is one.
 * @param {Child} child @param {ChildNode | null} place @param {Map<string | number, Element>} keyed
 * @returns {ChildNode | null}
 */
function fitting(child, place, keyed) {
  if (typeof child === "string") return place?.nodeType === Node.TEXT_NODE ? place : null;
  if (child.key !== undefined) {
    const found = keyed.get(child.key);
    return found && made.get(found)?.tag === child.tag ? found : null;
  }
  const old = place instanceof Element ? made.get(place) : undefined;
  return old && old.tag === child.tag && old.key === undefined ? place : null;
}

/** @param {Child} child @returns {Node} */
function create(child) {
  if (typeof child === "string") return document.createTextNode(child);
  const element = DRAWN.has(child.tag) ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  made.set(element, { tag: child.tag, key: child.key, props: {}, children: [] });
  update(element, child);
  child.props.made?.(element);
  if (child.props.focus) queueMicrotask(() => /** @type {HTMLElement} */ (element).focus());
  return element;
}

/** @param {Element} element @param {VNode} wanted */
function update(element, wanted) {
  if (made.get(element) === wanted) return; // remembered, see `memo`
  const before = made.get(element)?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in wanted.props)) set(element, name, null, before[name]);
  for (const [name, value] of Object.entries(wanted.props)) set(element, name, value, before[name]);
  made.set(element, wanted);
  patchChildren(element, wanted.children);
}

/** @param {Element} element @param {string} name @param {Props[string]} value @param {Props[string]} before */
function set(element, name, value, before) {
  if (name === "key" || name === "focus" || name === "made") return;
  if (name === "on") return listen(element, value ?? {});
  if (name === "style") return restyle(/** @type {HTMLElement} */ (element), value ?? {}, before ?? {});
  if (name === "value" || name === "checked" || name === "disabled" || name === "open") {
    const owner = /** @type {Props} */ (/** @type {unknown} */ (element));
    const fit = value ?? (name === "value" ? "" : false);
    if (name === "open" && element.tagName === "DIALOG") return;
    if (owner[name] !== fit) owner[name] = fit;
    return;
  }
  if (value === before) return;
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else
    element.setAttribute(name, name === "href" && value[0] === "/" ? href(value) : value === true ? "" : String(value));
}

/** @param {Element} element @param {Handlers} handlers */
function listen(element, handlers) {
  const known = heard.get(element) ?? {};
  for (const kind of Object.keys(handlers)) {
    if (!(kind in known)) element.addEventListener(kind, (event) => heard.get(element)?.[kind]?.(event));
  }
  heard.set(element, { ...Object.fromEntries(Object.keys(known).map((kind) => [kind, () => {}])), ...handlers });
}

/** @param {HTMLElement} element @param {Record<string, string>} wanted @param {Record<string, string>} before */
function restyle(element, wanted, before) {
  for (const name of Object.keys(before)) if (!(name in wanted)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(wanted))
    if (before[name] !== value) element.style.setProperty(name, String(value));
}
