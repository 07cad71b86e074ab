// The way to the server of a site, which is in a worker of this tab or of another one. In a site's build this module
// stands in the place of that in `base`, which goes over the network.

import { showProgress } from "../site/progress.js";
import { own } from "./address.js";

/**
 * @typedef {import("../base/transport.js").Listener} Listener
 * @typedef {import("../site/worker.js").State} State
 * @typedef {import("../site/worker.js").Settings} Settings
 * @typedef {{ type: "answer", page: string, number: number, status: number, body: string }} Answer
 * @typedef {{ type: "heard", page: string, number: number, text: string }} Heard
 * @typedef {{ answered: (answer: { status: number, text: string }) => void, failed: (why: Error) => void }} Asker
 * @typedef {{ type: "ended", page: string, number: number, code: number }} Ended
 */

/** Whether the page has its server with it. */
export const isSite = true;

const RESTART = 1012;
const base = new URL(".", location.href).href;
const name = own("davidgoliath");
/** How the site was built. @type {Settings} */
export const settings = JSON.parse(document.getElementById("site")?.textContent ?? "{}");
const page = `${name} ${crypto.randomUUID?.()}`;
const channel = new BroadcastChannel(name);

/** What the server offers, before it has said so. */
export const offered = { bots: settings.bots };

/** What else there is in the settings. */
export const loadBackup = () => import("../site/backup.js");

let server = "";
/** @type {() => void} */
let begun = () => {};
/** The server is there. @type {Promise<void>} */
export const ready = new Promise((there) => (begun = there));

let last = 0;
/** @type {Map<number, Asker>} */
const asked = new Map();
/** @type {Map<number, Listener>} */
const lines = new Map();

if (isSecureContext) void navigator.locks.request(page, begin);
else become({ type: "failed", why: "no https" });

async function begin() {
  channel.onmessage = ({ data }) => (typeof data === "string" ? hear(JSON.parse(data)) : become(data));
  channel.postMessage({ type: "hello", page });
  const worker = new Worker(new URL("../site/worker.js", import.meta.url), { type: "module" });
  worker.postMessage({ base, name, settings });
  await new Promise(() => {}); // as long as the page is there
}

/** @param {State} state */
function become(state) {
  showProgress(state, settings.bytes);
  if (state.type !== "ready" || state.server === server) return;
  const isAnother = server !== "";
  server = state.server;
  if (!isAnother) return begun();
  channel.postMessage({ type: "hello", page });
  for (const { failed } of asked.values()) failed(new Error("the server has gone"));
  for (const listener of lines.values()) listener.ended(RESTART);
  asked.clear();
  lines.clear();
}

/** @param {Answer | Heard | Ended} message */
function hear(message) {
  if (message.page !== page) return;
  const { number } = message;
  if (message.type === "answer") {
    asked.get(number)?.answered({ status: message.status, text: message.body });
    asked.delete(number);
  } else if (message.type === "heard") lines.get(number)?.heard(message.text);
  else {
    const listener = lines.get(number);
    lines.delete(number);
    listener?.ended(message.code);
  }
}

/** @param {string} type @param {number} number @param {object} [said] */
const say = (type, number, said) => channel.postMessage(JSON.stringify({ type, page, number, ...said }));

/**
 * Asks the server.
 * @param {string} method @param {string} path @param {Record<string, string>} [headers] @param {string} [body]
 * @returns {Promise<{ status: number, text: string }>}
 */
export async function request(method, path, headers = {}, body = "") {
  await ready;
  const number = ++last;
  return new Promise((answered, failed) => {
    asked.set(number, { answered, failed });
    say("ask", number, { method, path, headers, body });
  });
}

/** A line to a table. @param {string} path @param {Listener} listener @returns {import("../base/transport.js").Line} */
export function openLine(path, listener) {
  const number = ++last;
  void ready.then(() => {
    if (!lines.has(number)) return;
    say("open", number, { path });
    listener.opened();
  });
  lines.set(number, listener);
  return {
    say(text) {
      if (lines.has(number) && server) say("say", number, { text });
      return lines.has(number) && server !== "";
    },
    close() {
      if (lines.delete(number) && server) say("close", number);
    },
  };
}

/** Keeps the whole site in the browser, once there is time for that, and asks that it may stay. */
export async function keepForLater() {
  await ready;
  await navigator.serviceWorker.register("sw.js");
  await navigator.storage.persist();
}
