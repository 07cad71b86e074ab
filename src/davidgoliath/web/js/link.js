// The connection to a table: says hello with the last event that it has, comes back by itself when the line breaks, and
// hands on what the server says.

import { isLost, own } from "./own.js";
import { build } from "./texts.js";

const PROTOCOL = 1;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const GREETING = 10_000;
const RESTART = 1012;
/** Why there is no use in coming back at once. */
const FINAL = ["no_such_table", "table_closed", "protocol_differs", "no_watchers", "too_many_watchers", "too_many_devices"];

/**
 * @typedef {"connecting" | "open" | "lost" | "gone"} Status
 * @typedef {{ heard: (message: any) => void, changed: (status: Status) => void, since: () => number }} Ears
 */

export class Link {
  /** @param {string} table @param {Ears} ears */
  constructor(table, ears) {
    this.table = table;
    this.ears = ears;
    /** @type {Status} */
    this.status = "connecting";
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
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
    this.socket?.close();
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/tables/${this.table}/socket`);
    this.socket = socket;
    this.timer = setTimeout(() => socket.close(), GREETING);
    socket.onopen = () => {
      this.token = own.token;
      socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, build, token: own.token ?? null, since: this.ears.since() }));
    };
    socket.onmessage = (frame) => this.hear(socket, read(frame.data));
    socket.onclose = ({ code }) => this.socket === socket && this.lose(code === RESTART);
  }

  /** @param {WebSocket} socket @param {any} message */
  hear(socket, message) {
    if (this.socket !== socket) return;
    if (message.type === "batch") {
      clearTimeout(this.timer);
      this.wait = FIRST_WAIT;
    }
    if (message.type === "refused" && message.reason === "token_unknown") return this.unknown();
    if (message.type === "refused" && FINAL.includes(message.reason)) this.stop("gone");
    this.ears.heard(message);
    if (message.type === "batch") this.change("open");
  }

  /** Somebody has signed this browser out: nothing of whom it was stays on the page. With a newer token we come again. */
  unknown() {
    if (isLost(this.token)) location.replace("/me");
    else this.connect();
  }

  /** Not all come back at once. @param {boolean} sentOff whether the server said that another will be there */
  lose(sentOff) {
    clearTimeout(this.timer);
    this.change("lost");
    this.timer = setTimeout(() => this.connect(), (sentOff ? FIRST_WAIT : this.wait) * (0.2 + 0.8 * Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  /** @param {Status} status */
  change(status) {
    if (this.status === status) return;
    this.status = status;
    this.ears.changed(status);
  }

  /** Says something, if there is a line; whether it was said. @param {object} message */
  say(message) {
    if (this.status !== "open" || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** @param {Status} [status] */
  stop(status = "gone") {
    clearTimeout(this.timer);
    removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.again);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.change(status);
  }
}

/** A message of the server as an object; events come as lists, since they are most of what comes. @param {string} text */
function read(text) {
  const message = JSON.parse(text);
  if (!Array.isArray(message)) return message;
  const [type, seq, event, now, took, stand] = message;
  return { type, seq, event, now, took, stand };
}
