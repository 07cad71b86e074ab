// Files for the program in the worker that the browser keeps: what was committed is there after any crash. To read or
// write costs a call out of the worker, so what is there is in memory too.
//
// Python for browsers can't tell us when SQLite wants to be sure of what it wrote. But its commits end when it empties
// the journal of a database: then first the journal is written, then what has changed of the database, and the journal
// goes last. So whenever that is cut off, the database is as before or the journal says how it was.

const FILE = 0o100600;
const FOLDER = 0o40700;
const NO_ENTRY = 44;
const NO_SPACE = 51;
const NOT_PERMITTED = 63;
const JOURNAL = /-journal$/;
const BLOCK = 4096;
const BUSY_MS = 50;
const TRIES = 100;

/**
 * @typedef {any} Emscripten  the file system of the program, and what belongs to it
 * @typedef {(stream: Emscripten, buffer: Int8Array, offset: number, length: number, at: number) => number} Move
 */

/** A folder that the browser keeps. @param {string} name */
export async function folderOf(name) {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(encodeURIComponent(name), { create: true });
}

/**
 * Opens files of a folder, for this worker alone.
 * @param {FileSystemDirectoryHandle} folder @param {string[]} names @returns {Promise<Map<string, KeptFile>>}
 */
export async function openFiles(folder, names) {
  /** @type {Map<string, KeptFile>} */
  const files = new Map();
  for (const name of names) {
    const file = await folder.getFileHandle(name, { create: true });
    files.set(name, new KeptFile(await opened(file)));
  }
  return files;
}

/**
 * A tab that was killed may hold it for a moment longer.
 * @param {FileSystemFileHandle} file @returns {Promise<FileSystemSyncAccessHandle>}
 */
export async function opened(file, tries = TRIES) {
  try {
    return await file.createSyncAccessHandle();
  } catch (why) {
    if (!tries) throw why;
    await new Promise((later) => setTimeout(later, BUSY_MS));
    return opened(file, tries - 1);
  }
}

/** A file, in memory and behind it. */
class KeptFile {
  /** @param {FileSystemSyncAccessHandle} handle */
  constructor(handle) {
    this.handle = handle;
    this.size = handle.getSize();
    this.bytes = new Uint8Array(this.size);
    handle.read(this.bytes, { at: 0 });
    /** @type {Set<number>} */
    this.changed = new Set();
  }

  /** @param {Int8Array} into @param {number} at */
  read(into, at) {
    const found = this.bytes.subarray(at, Math.min(at + into.length, this.size));
    into.set(found);
    return found.length;
  }

  /** @param {Int8Array} from @param {number} at */
  write(from, at) {
    const end = at + from.length;
    this.makeRoom(end);
    this.bytes.set(from, at);
    this.size = Math.max(this.size, end);
    for (let block = Math.floor(at / BLOCK); block * BLOCK < end; block++) this.changed.add(block);
    return from.length;
  }

  /** @param {number} size */
  truncate(size) {
    this.makeRoom(size);
    this.handle.truncate(size);
    this.bytes.fill(0, size);
    this.size = size;
    for (const block of this.changed) if (block * BLOCK >= size) this.changed.delete(block);
  }

  /** @param {number} size */
  makeRoom(size) {
    if (size <= this.bytes.length) return;
    const more = new Uint8Array(2 * size);
    more.set(this.bytes);
    this.bytes = more;
  }

  /** Blocks that lie together are written together. */
  flush() {
    const blocks = [...this.changed].sort((one, other) => one - other);
    for (let first = 0, next = 1; first < blocks.length; first = next++) {
      while (blocks[next] === blocks[next - 1] + 1) next++;
      const at = blocks[first] * BLOCK;
      this.handle.write(this.bytes.subarray(at, Math.min((blocks[next - 1] + 1) * BLOCK, this.size)), { at });
    }
    this.handle.flush();
    this.changed.clear();
  }
}

/**
 * Makes them the files of a folder of the program. There can be no others; an empty one isn't there until it is made.
 * @param {Emscripten} FS @param {string} place @param {Map<string, KeptFile>} files
 */
export function mountFiles(FS, place, files) {
  /** @param {Emscripten} node */
  const fileOf = (node) => /** @type {KeptFile} */ (files.get(node.name));
  /** @param {Emscripten} node @param {number} size */
  const looks = (node, size) => ({
    ...{ dev: 1, ino: node.id, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size },
    ...{ atime: new Date(0), mtime: new Date(0), ctime: new Date(0), blksize: 4096, blocks: Math.ceil(size / 4096) },
  });
  /** @param {Emscripten} parent @param {string} name */
  const make = (parent, name) =>
    Object.assign(FS.createNode(parent, name, FILE, 0), { node_ops: file, stream_ops: data });

  /** @param {string} name @param {number} size */
  function shorten(name, size) {
    const file = files.get(name);
    try {
      file?.flush();
      files.get(name.replace(JOURNAL, ""))?.flush();
      file?.truncate(size);
      file?.flush();
    } catch {
      throw new FS.ErrnoError(NO_SPACE); // what has changed is written the next time
    }
  }

  const folder = {
    /** @param {Emscripten} node */
    getattr: (node) => looks(node, 4096),
    setattr() {},
    /** @param {Emscripten} parent @param {string} name */
    lookup(parent, name) {
      if (!files.get(name)?.size) throw new FS.ErrnoError(NO_ENTRY);
      return make(parent, name);
    },
    /** @param {Emscripten} parent @param {string} name */
    mknod(parent, name) {
      if (!files.has(name)) throw new FS.ErrnoError(NOT_PERMITTED);
      return make(parent, name);
    },
    /** @param {Emscripten} _ @param {string} name */
    unlink: (_, name) => shorten(name, 0),
    readdir: () => [".", "..", ...[...files].filter(([, { size }]) => size).map(([name]) => name)],
  };
  const file = {
    /** @param {Emscripten} node */
    getattr: (node) => looks(node, fileOf(node).size),
    /** @param {Emscripten} node @param {{ size?: number }} wish */
    setattr(node, { size }) {
      if (size !== undefined) shorten(node.name, size);
    },
  };
  const data = {
    /** @type {Move} */
    read: ({ node }, buffer, offset, length, at) => fileOf(node).read(buffer.subarray(offset, offset + length), at),
    /** @type {Move} */
    write: ({ node }, buffer, offset, length, at) => fileOf(node).write(buffer.subarray(offset, offset + length), at),
    /** @param {Emscripten} stream @param {number} offset @param {number} whence */
    llseek: (stream, offset, whence) =>
      offset + (whence === 1 ? stream.position : whence === 2 ? fileOf(stream.node).size : 0),
  };
  FS.mkdirTree(place);
  const mount = () => Object.assign(FS.createNode(null, "/", FOLDER, 0), { node_ops: folder, stream_ops: {} });
  FS.mount({ mount }, {}, place);
}
