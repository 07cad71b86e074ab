// Plain HTTP: people, tables, records. What the server refuses is thrown as a `Refused` with its sentence.

import { keep, setAside, stored } from "./storage.js";
import { capital, language, t } from "./texts.js";
import { request } from "./transport.js";

/** @typedef {import("./protocol").Reason} Reason */

export class Refused extends Error {
  /** @param {Reason | "offline" | "trouble" | "no_code"} reason  the server's, or ours @param {string} text */
  constructor(reason, text) {
    super(text);
    this.reason = reason;
  }
}

/**
 * @typedef {import("./protocol").Endpoints} Endpoints
 * @typedef {{ [E in keyof Endpoints]: Endpoints[E]["answer"] extends string ? never : E }[keyof Endpoints]} Endpoint
 *   that answers in JSON, or with nothing
 */

/**
 * What goes with a question: the token of somebody else than this browser's person, and what its address wants.
 * @template {Endpoint} E
 * @typedef {{ token?: string }
 *   & (Endpoints[E]["body"] extends undefined ? { body?: undefined } : { body: Endpoints[E]["body"] })
 *   & (E extends `${string}{table}${string}` ? { table: string } : { table?: undefined })} Asked
 */

/**
 * Asks the server.
 * @template {Endpoint} E
 * @param {E} endpoint
 * @param {{} extends Asked<E> ? [Asked<E>?] : [Asked<E>]} how
 * @returns {Promise<Endpoints[E]["answer"]>}
 */
export async function ask(endpoint, ...how) {
  const { body, table = "", token = stored.token } = how[0] ?? {};
  const [method, path] = endpoint.split(" ");
  /** @type {Record<string, string>} */
  const headers = { "accept-language": language() };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await request(method, path.replace("{table}", table), headers, body && JSON.stringify(body));
  } catch {
    throw new Refused("offline", t("page.offline"));
  }
  const { status, text } = answer;
  if (status < 400) return text ? JSON.parse(text) : null;
  /** @type {import("./protocol").Refusal} */
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    throw new Refused("trouble", t("page.trouble"));
  }
  throw new Refused(said.reason, capital(said.text));
}

/** Makes sure that this browser has a person, called like this. @param {string} name */
export async function become(name) {
  if (stored.token) {
    try {
      if (name !== stored.name) stored.name = (await ask("POST /api/me/name", { body: { name } })).name;
      keep();
      return;
    } catch (refused) {
      if (!(refused instanceof Refused) || !refused.reason.startsWith("token")) throw refused;
      setAside(); // the server knows it no longer
    }
  }
  const made = await ask("POST /api/people", { body: { name } });
  Object.assign(stored, { token: made.token, person: made.person, name });
  keep();
}

/** Whose token it is, and where they sit. @param {string} token @returns {Promise<import("./storage.js").Identity>} */
export async function whose(token) {
  const { person, name, tables } = await ask("GET /api/me", { token });
  const table = tables.find(({ game }) => game && game.seat !== null && game.phase !== "over")?.table;
  return { token, person, name, table };
}

/** Takes a new token, and then all others back: whatever answer gets lost on the way, ours works. */
export async function signOutOthers() {
  const another = () => ask("POST /api/me/tokens");
  const made = await another().catch(async (refused) => {
    if (refused.reason !== "too_many_tokens") throw refused;
    await ask("DELETE /api/me/tokens");
    return another();
  });
  stored.token = made.token;
  keep();
  await ask("DELETE /api/me/tokens");
}

/**
 * A new table.
 * @param {import("./protocol").NewTable} wanted
 * @returns {Promise<string>} its id
 */
export async function makeTable(wanted) {
  return (await ask("POST /api/tables", { body: wanted })).table;
}

/** The record of a match, for somebody to keep; null if it can't be had. @param {string} table */
export async function recordOf(table) {
  const answer = await request("GET", `/api/tables/${table}/record.dgn`).catch(() => null);
  return answer?.status === 200 ? answer.text : null;
}
