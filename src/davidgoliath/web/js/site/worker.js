// The server of this site: the program itself, in a worker. Of several tabs one has it, and all of them talk to it;
// when that tab goes, another one takes over, as if the server had been started anew.

import { folderOf, mountFiles, openFiles } from "./files.js";
import { judging } from "./judging.js";
import { forgetMemory, keepMemory, keptMemory } from "./memory.js";
import { free, shareCompiled, startPython } from "./python.js";

/**
 * @typedef {{ build: string, python: string, bytes: number, pace: number, bots: string[], server: string }} Settings
 * @typedef {{ base: string, name: string, settings: Settings }} Place  where the site is, and what is its own there
 * @typedef {{ type: "hello", page: string }} Hello  a page has come
 * @typedef {{ type: "loading", done: number }} Loading
 * @typedef {Loading | { type: "ready", server: string } | { type: "failed", why: string }} State
 */

const FILES = ["tables.db", "tables.db-journal"];
const FOLDER = "/tables";
const BOOT = "davidgoliath.site.boot";

addEventListener("message", ({ data }) => void begin(data), { once: true });

/** Waits until no other tab has the server. @param {Place} place */
async function begin(place) {
  await navigator.locks.request(place.name, async () => {
    await serve(place);
    await new Promise(() => {}); // as long as this tab is there
  });
}

/** @param {Place} place */
async function serve({ base, name, settings }) {
  const channel = new BroadcastChannel(name);
  /** @type {State} */
  let state = { type: "loading", done: 0 };
  /** @param {State} now */
  const become = (now) => {
    state = now;
    channel.postMessage(state);
  };
  /** @type {{ hear: (text: string) => void, away: { hear: (number: number, answer: string) => void } } | null} */
  let server = null;
  /** @type {Set<string>} */
  const pages = new Set();

  channel.onmessage = (/** @type {MessageEvent<string | Hello>} */ { data }) => {
    if (typeof data === "string") server?.hear(data);
    else if (data.type === "hello") {
      channel.postMessage(state);
      if (!pages.has(data.page)) void missed(data.page).then(() => server?.hear(gone(data.page)));
      pages.add(data.page);
    }
  };
  try {
    become(state);
    countFetched((bytes) => state.type === "loading" && become({ type: "loading", done: state.done + bytes }));
    const folder = new URL(settings.python, base).href;
    const kept = await folderOf(name);
    const compiled = shareCompiled();
    const [{ python, memory }, files] = await Promise.all([
      begun(kept, folder, settings.python),
      openFiles(kept, FILES),
    ]);
    mountFiles(python.FS, FOLDER, files);
    const tell = (/** @type {string} */ text) => channel.postMessage(text);
    const judge = judging(folder, compiled, (number, answer) => server?.away.hear(number, answer));
    server = python.pyimport(BOOT).open_server(`${FOLDER}/${FILES[0]}`, JSON.stringify(settings), tell, judge);
    become({ type: "ready", server: crypto.randomUUID() });
    if (memory) {
      await keepMemory(kept, settings.python, memory).catch(console.info); // there may be no room for it
      free(memory);
    }
  } catch (why) {
    console.error(why);
    await folderOf(name).then(forgetMemory, () => {}); // in case that it was the reason
    become({ type: "failed", why: String(why) });
  }
}

/**
 * Python with the program; and what it had in memory then, if that was new.
 * @param {FileSystemDirectoryHandle} kept @param {string} folder @param {string} key
 */
async function begun(kept, folder, key) {
  const memory = await keptMemory(kept, key);
  if (memory) return { python: await startPython(folder, { memory }) };
  const python = await startPython(folder, { _makeSnapshot: true });
  python.runPython(`import ${BOOT}`);
  return { python, memory: python.makeMemorySnapshot() };
}

/** Returns when a page is gone, however that came about: until then it holds a lock. @param {string} page */
const missed = (page) => navigator.locks.request(page, () => {});

/** @param {string} page */
const gone = (page) => JSON.stringify({ type: "gone", page });

/** Tells of everything that is fetched from now on, piece by piece. @param {(bytes: number) => void} tell */
function countFetched(tell) {
  const plain = self.fetch;
  self.fetch = async (...asked) => {
    const answer = await plain(...asked);
    void count(answer.clone()).catch(() => {}); // whoever asked hears of it
    return answer;
  };

  /** @param {Response} answer */
  async function count(answer) {
    const reader = answer.body?.getReader();
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) tell(piece.value.length);
  }
}
