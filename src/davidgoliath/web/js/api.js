// Plain HTTP: people, tables, records. What the server refuses is thrown as a `Refused` with its sentence.

import { keep, own } from "./own.js";
import { capital, language, t } from "./texts.js";

export class Refused extends Error {
  /** @param {string} reason @param {string} text */
  constructor(reason, text) {
    super(text);
    this.reason = reason;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { "accept-language": language() };
  if (own.token) headers.authorization = `Bearer ${own.token}`;
  if (body) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Refused("offline", t("page.offline"));
  }
  if (answer.status === 204) return null;
  const text = await answer.text();
  if (answer.ok) return answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
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
  if (own.token) {
    try {
      if (name !== own.name) own.name = (await ask("POST", "/api/me/name", { name })).name;
      keep();
      return;
    } catch (refused) {
      if (!(refused instanceof Refused) || !refused.reason.startsWith("token")) throw refused;
      delete own.token; // the server knows it no longer
    }
  }
  const made = await ask("POST", "/api/people", { name });
  Object.assign(own, { token: made.token, person: made.person, name });
  keep();
}

/**
 * A new table.
 * @param {{ seats: (string | null)[], rules?: string, turn_seconds?: number | null, takeover?: boolean, public?: boolean }} wanted
 * @returns {Promise<string>} its id
 */
export async function makeTable(wanted) {
  return (await ask("POST", "/api/tables", wanted)).table;
}
