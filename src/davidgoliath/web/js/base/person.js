// Whoever plays in this browser: no account, a name, and a token that only this browser has.

import { ask, become, makeTable, Refused } from "./api.js";
import { keep, setAside, stored } from "./storage.js";
import { t } from "./texts.js";

/** A browser that was given its token by an earlier page may not know its name: the server does. */
export async function remember() {
  if (!stored.token || stored.name) return;
  try {
    const me = await ask("GET /api/me");
    Object.assign(stored, { person: me.person, name: me.name });
  } catch (refused) {
    if (!isUnknown(refused)) throw refused;
    setAside();
  }
  keep();
}

/** Makes sure that there is a person here; without a name, as a guest. @param {string} [name] */
export async function beSomeone(name = "") {
  await remember();
  await become(name.trim() || stored.name || t("page.guest"));
}

/**
 * A new table of this person, who is made anew if the server has forgotten them.
 * @param {Parameters<typeof makeTable>[0]} wanted
 * @param {string} [name]
 * @returns {Promise<string>} the path of its page
 */
export async function tableOfMine(wanted, name) {
  await beSomeone(name);
  try {
    return `/t/${await makeTable(wanted)}`;
  } catch (refused) {
    if (!isUnknown(refused)) throw refused;
    setAside();
    await beSomeone(name);
    return `/t/${await makeTable(wanted)}`;
  }
}

/** Whether the server doesn't know our token. @param {unknown} refused */
export const isUnknown = (refused) => refused instanceof Refused && refused.reason.startsWith("token");

/** What to tell about something that failed. @param {unknown} failed */
export function whatFailed(failed) {
  if (failed instanceof Refused) return failed.message;
  throw failed;
}
