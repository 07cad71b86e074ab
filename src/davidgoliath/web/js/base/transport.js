// The way to the server: HTTP, and a WebSocket for each table. A page that has its server with it comes with another
// module in the place of this one (`site/transport.js`).

import { asset } from "./address.js";
import { build, language } from "./texts.js";

/**
 * @typedef {{ opened: () => void, heard: (text: string) => void, ended: (code: number) => void }} Listener
 * @typedef {{ say: (text: string) => boolean, close: () => void }} Line  what is said is heard, or the line is lost
 */

/** Whether the page has its server with it. */
export const isSite = false;
/** What the server offers is only known once it has said so. @type {{ bots?: string[] }} */
export const offered = {};
/** What else there is in the settings. @type {null | (() => Promise<{ backup: () => import("./dom.js").VNode }>)} */
export const loadBackup = null;
/** The server is there, as far as the page can know. */
export const ready = Promise.resolve();

/**
 * Asks the server.
 * @param {string} method @param {string} path @param {Record<string, string>} [headers] @param {string} [body]
 * @returns {Promise<{ status: number, text: string }>}
 */
export async function request(method, path, headers, body) {
  const answer = await fetch(path, { method, headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** A line to a table. @param {string} path @param {Listener} listener @returns {Line} */
export function openLine(path, listener) {
  const socket = new WebSocket(location.origin.replace("http", "ws") + path);
  socket.onopen = () => listener.opened();
  socket.onmessage = (frame) => listener.heard(frame.data);
  socket.onclose = ({ code }) => listener.ended(code);
  return {
    say(text) {
      const isOpen = socket.readyState === WebSocket.OPEN;
      if (isOpen) socket.send(text);
      return isOpen;
    },
    close: () => socket.close(),
  };
}

/** Keeps the page for times without a network: it says so in the reader's language, and shows the rules. */
export async function keepForLater() {
  await navigator.serviceWorker.register("/sw.js");
  const texts = [`${language()}.json`, `rules.${language()}.md`].map((name) => asset(`texts/${name}`));
  await (await caches.open(`page-${build}`)).addAll(texts);
}
