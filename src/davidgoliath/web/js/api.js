// Plain HTTP: people, tables, records. What the server refuses is thrown as a `Refused` with its sentence.

import { keep, own, setAside } from "./own.js";
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
 * @param {string} [token]  of somebody else than this browser's person
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, token = own.token) {
  /** @type {Record<string, string>} */
  const headers = { "accept-language": language() };
  if (token) headers.authorization = `Bearer ${token}`;
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
      setAside(); // the server knows it no longer
    }
  }
  const made = await ask("POST", "/api/people", { name });
  Object.assign(own, { token: made.token, person: made.person, name });
  keep();
}

/** Whose token it is, and where they sit. @param {string} token @returns {Promise<import("./own.js").Identity>} */
export async function whose(token) {
  const { person, name, tables } = await ask("GET", "/api/me", undefined, token);
  const table = tables.find((/** @type {any} */ { game }) => game && game.seat !== null && game.phase !== "over")?.table;
  return { token, person, name, table };
}

/** Takes a new token, and then all others back: whatever answer gets lost on the way, ours works. */
export async function signOutOthers() {
  const another = () => ask("POST", "/api/me/tokens");
  const made = await another().catch(async (refused) => {
    if (refused.reason !== "too_many_tokens") throw refused;
    await ask("DELETE", "/api/me/tokens");
    return another();
  });
  own.token = made.token;
  keep();
  await ask("DELETE", "/api/me/tokens");
}

/**
 * A new table.
 * @param {{ seats: (string | null)[], rules?: string, turn_seconds?: number | null, takeover?: boolean, public?: boolean }} wanted
 * @returns {Promise<string>} its id
 */
export async function makeTable(wanted) {
  return (await ask("POST", "/api/tables", wanted)).table;
}
