// What Python has in memory once the program is loaded (a memory snapshot), kept for the next start: to load all that
// takes longer than all else. Only the same browser and the same Python use it, and whatever isn't whole is made anew.

import { opened } from "./files.js";

const NAME = "memory";
const PIECE = 1 << 20;

/**
 * What there is, if it is whole. To read it takes a while.
 * @param {FileSystemDirectoryHandle} folder @param {string} key  whose memory it is
 * @returns {Promise<import("./python.js").Memory | null>}
 */
export async function keptMemory(folder, key) {
  const seal = sealOf(key);
  const found = new Uint8Array(seal.length);
  const file = await opened(await folder.getFileHandle(NAME, { create: true }));
  const size = file.getSize() - seal.length;
  if (size > 0) file.read(found, { at: size });
  if (seal.some((byte, at) => byte !== found[at])) {
    file.close();
    return null;
  }
  const read = (/** @type {Uint8Array} */ into) => {
    file.read(into, { at: 0 });
    file.close();
  };
  return { size, read };
}

/**
 * Piece by piece, as somebody plays meanwhile. The seal comes last: without it, nothing is there.
 * @param {FileSystemDirectoryHandle} folder @param {string} key @param {Uint8Array} memory
 */
export async function keepMemory(folder, key, memory) {
  const file = await opened(await folder.getFileHandle(NAME, { create: true }));
  try {
    file.truncate(0);
    for (let at = 0; at < memory.length; at += PIECE) {
      file.write(memory.subarray(at, at + PIECE), { at });
      await new Promise((later) => setTimeout(later));
    }
    file.flush();
    file.write(sealOf(key), { at: memory.length });
    file.flush();
  } finally {
    file.close();
  }
}

/** @param {FileSystemDirectoryHandle} folder */
export const forgetMemory = (folder) => folder.removeEntry(NAME).catch(() => {});

/** @param {string} key */
const sealOf = (key) => new TextEncoder().encode(`${key} ${navigator.userAgent}`);
