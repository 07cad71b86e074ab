// Matches that this browser keeps for longer than the server does, if its person wishes so: the record of each, and
// what My games shows of it.

import { ask, recordOf } from "./api.js";
import { keep, stored } from "./storage.js";

/**
 * @typedef {import("./protocol").Game} Game
 * @typedef {import("./protocol").MyTable} Entry
 * @typedef {{ table: string, active: number, game: Game, record: string }} Kept
 */

const MATCHES = "matches";
/** So many are kept: some megabytes. The oldest make room. */
export const MOST_KEPT = 1000;

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((found, failed) => {
    const asked = indexedDB.open("dg-kept", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(MATCHES, { keyPath: "table" });
    asked.onsuccess = () => found(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

/**
 * Does something with the store, and waits until it is done.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
async function within(mode, act) {
  const database = await opened();
  try {
    return await new Promise((done, failed) => {
      const transaction = database.transaction(MATCHES, mode);
      const asked = act(transaction.objectStore(MATCHES));
      transaction.oncomplete = () => done(asked.result);
      transaction.onerror = transaction.onabort = () => failed(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** All that is kept, the latest first; nothing where the browser can't. @returns {Promise<Kept[]>} */
export async function keptMatches() {
  /** @type {Kept[]} */
  const matches = await within("readonly", (store) => store.getAll()).catch(() => []);
  return matches.sort((one, other) => other.active - one.active);
}

/** Forgets a match. @param {string} table */
export const dropKept = (table) => within("readwrite", (store) => store.delete(table));

/** Forgets all of them, and keeps no more. */
export async function dropAllKept() {
  stored.keepsMatches = false;
  keep();
  await within("readwrite", (store) => store.clear());
}

/** A match of one's own that was played, be it to its end or not. @param {Entry} entry */
const isFinished = ({ game }) =>
  game?.phase === "over" && game.seat !== null && [...game.totals, ...(game.unfinished ?? [])].some((points) => points);

/** Keeps those that are over and aren't kept yet, if that is wished. @param {Entry[]} entries */
export async function keepFinished(entries) {
  if (!stored.keepsMatches) return;
  const known = await keptMatches();
  for (const { table, active, game } of entries.filter(isFinished)) {
    if (!game || known.some((match) => match.table === table)) continue;
    const record = await recordOf(table);
    if (record) await within("readwrite", (store) => store.put({ table, active, game, record }));
  }
  for (const { table } of (await keptMatches()).slice(MOST_KEPT)) await dropKept(table);
}

/** Keeps what has just come to its end. */
export const keepLatest = async () => keepFinished((await ask("GET /api/me")).tables);
