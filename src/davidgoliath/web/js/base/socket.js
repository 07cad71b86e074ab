// The connection to a table: says hello with the last event that it has, comes back by itself when the line breaks, and
// hands on what the server says.

import { href } from "./address.js";
import { PROTOCOL } from "./facts.js";
import { isLost, stored } from "./storage.js";
import { build } from "./texts.js";
import { openLine, ready } from "./transport.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const GREETING = 10_000;
const RESTART = 1012;
/** Why there is no use in coming back at once. @type {import("./protocol").Reason[]} */
const FINAL = [
  "no_such_table",
  "table_closed",
  "protocol_differs",
  "no_watchers",
  "too_many_watchers",
  "too_many_devices",
];

/**
 * @typedef {"connecting" | "open" | "lost" | "gone"} Status
 * @typedef {import("./protocol").AnyFromServer} AnyFromServer
 * @typedef {{ type: "happened", seq: number } & import("./protocol").Told} Happened  not as a list
 * @typedef {Exclude<AnyFromServer, unknown[]> | Happened} Message  what the server says
 * @typedef {{ heard: (message: Message) => void, changed: (status: Status) => void,
 *             since: () => number }} SocketListener
 */

export class TableSocket {
  /** @param {string} table @param {SocketListener} listener */
  constructor(table, listener) {
    this.table = table;
    this.listener = listener;
    /** @type {Status} */
    this.status = "connecting";
    this.wait = FIRST_WAIT;
    /** @type {import("./transport.js").Line | null} */
    this.line = null;
    /** @type {string | undefined} by which we said hello */
    this.token = undefined;
    this.timer = 0;
    this.again = () => this.status === "lost" && this.connect();
    addEventListener("online", this.again);
    document.addEventListener("visibilitychange", this.again);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.hangUp();
    const line = openLine(`/api/tables/${this.table}/socket`, {
      opened: () => this.line === line && this.greet(),
      heard: (text) => this.line === line && this.hear(read(text)),
      ended: (code) => this.line === line && this.lose(code === RESTART),
    });
    this.line = line;
    void ready.then(() => {
      if (this.line === line) this.timer = setTimeout(() => this.lose(false), GREETING);
    });
  }

  greet() {
    this.token = stored.token;
    const since = this.listener.since();
    this.send({ type: "hello", protocol: PROTOCOL, build, token: stored.token ?? null, since });
  }

  /** @param {Message} message */
  hear(message) {
    if (message.type === "batch") {
      clearTimeout(this.timer);
      this.wait = FIRST_WAIT;
    }
    if (message.type === "refused" && message.reason === "token_unknown") return this.unknown();
    if (message.type === "refused" && FINAL.includes(message.reason)) this.stop("gone");
    this.listener.heard(message);
    if (message.type === "batch") this.change("open");
  }

  /**
   * Somebody has signed this browser out: nothing of whom it was stays on the page. With a newer token we come again.
   */
  unknown() {
    if (isLost(this.token)) location.replace(href("/me"));
    else this.connect();
  }

  /** Not all come back at once. @param {boolean} sentOff whether the server said that another will be there */
  lose(sentOff) {
    clearTimeout(this.timer);
    this.hangUp();
    this.change("lost");
    this.timer = setTimeout(() => this.connect(), (sentOff ? FIRST_WAIT : this.wait) * (0.2 + 0.8 * Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  /** @param {Status} status */
  change(status) {
    if (this.status === status) return;
    this.status = status;
    this.listener.changed(status);
  }

  /** Says something, if there is a line; whether it was said. @param {import("./protocol").AnyFromClient} message */
  say(message) {
    return this.status === "open" && this.send(message);
  }

  /** The same, also before we are greeted. @param {import("./protocol").AnyFromClient} message @returns {boolean} */
  send(message) {
    return this.line?.say(JSON.stringify(message)) ?? false;
  }

  hangUp() {
    const line = this.line;
    this.line = null;
    line?.close();
  }

  /** @param {Status} [status] */
  stop(status = "gone") {
    clearTimeout(this.timer);
    removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.again);
    this.hangUp();
    this.change(status);
  }
}

/**
 * A message of the server as an object; events come as lists, since they are most of what comes.
 * @param {string} text
 * @returns {Message}
 */
function read(text) {
  /** @type {AnyFromServer} */
  const message = JSON.parse(text);
  if (!Array.isArray(message)) return message;
  const [type, seq, event, now, took, stand] = message;
  return { type, seq, event, now, took, stand };
}
