// Files for the program in the worker that the browser keeps: what was written and flushed is there after any crash,
// and a file of any size costs only what is changed of it.

const FILE = 0o100600;
const FOLDER = 0o40700;
const NO_ENTRY = 44;
const NOT_PERMITTED = 63;
const BUSY_MS = 50;
const TRIES = 100;

/**
 * @typedef {FileSystemSyncAccessHandle} Handle
 * @typedef {any} Emscripten  the file system of the program, and what belongs to it
 * @typedef {(stream: Emscripten, buffer: Int8Array, offset: number, length: number, at: number) => number} Move
 */

/**
 * Opens files of a folder, for this worker alone. A tab that was killed may hold them for a moment longer.
 * @param {string} folder @param {string[]} names @returns {Promise<Map<string, Handle>>}
 */
export async function openFiles(folder, names) {
  const root = await navigator.storage.getDirectory();
  const within = await root.getDirectoryHandle(encodeURIComponent(folder), { create: true });
  /** @type {Map<string, Handle>} */
  const handles = new Map();
  for (const name of names) {
    const file = await within.getFileHandle(name, { create: true });
    handles.set(name, await opened(file));
  }
  return handles;
}

/** @param {FileSystemFileHandle} file @returns {Promise<Handle>} */
async function opened(file, tries = TRIES) {
  try {
    return await file.createSyncAccessHandle();
  } catch (why) {
    if (!tries) throw why;
    await new Promise((later) => setTimeout(later, BUSY_MS));
    return opened(file, tries - 1);
  }
}

/**
 * Makes them the files of a folder of the program. There can be no others; an empty one isn't there until it is made.
 * @param {Emscripten} FS @param {string} place @param {Map<string, Handle>} handles
 */
export function mountFiles(FS, place, handles) {
  /** @param {Emscripten} node */
  const handleOf = (node) => /** @type {Handle} */ (handles.get(node.name));
  /** @param {Emscripten} node @param {number} size */
  const looks = (node, size) => ({
    ...{ dev: 1, ino: node.id, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size },
    ...{ atime: new Date(0), mtime: new Date(0), ctime: new Date(0), blksize: 4096, blocks: Math.ceil(size / 4096) },
  });
  /** @param {Emscripten} parent @param {string} name */
  const make = (parent, name) =>
    Object.assign(FS.createNode(parent, name, FILE, 0), { node_ops: file, stream_ops: data });

  const folder = {
    /** @param {Emscripten} node */
    getattr: (node) => looks(node, 4096),
    setattr() {},
    /** @param {Emscripten} parent @param {string} name */
    lookup(parent, name) {
      if (!handles.get(name)?.getSize()) throw new FS.ErrnoError(NO_ENTRY);
      return make(parent, name);
    },
    /** @param {Emscripten} parent @param {string} name */
    mknod(parent, name) {
      if (!handles.has(name)) throw new FS.ErrnoError(NOT_PERMITTED);
      return make(parent, name);
    },
    /** @param {Emscripten} _ @param {string} name */
    unlink(_, name) {
      const handle = handles.get(name);
      handle?.truncate(0);
      handle?.flush();
    },
    readdir: () => [".", "..", ...[...handles].filter(([, handle]) => handle.getSize()).map(([name]) => name)],
  };
  const file = {
    /** @param {Emscripten} node */
    getattr: (node) => looks(node, handleOf(node).getSize()),
    /** @param {Emscripten} node @param {{ size?: number }} wish */
    setattr(node, { size }) {
      if (size !== undefined) handleOf(node).truncate(size);
    },
  };
  const data = {
    /** @type {Move} */
    read: ({ node }, buffer, offset, length, at) =>
      handleOf(node).read(buffer.subarray(offset, offset + length), { at }),
    /** @type {Move} */
    write: ({ node }, buffer, offset, length, at) =>
      handleOf(node).write(buffer.subarray(offset, offset + length), { at }),
    /** @param {Emscripten} stream @param {number} offset @param {number} whence */
    llseek: (stream, offset, whence) =>
      offset + (whence === 1 ? stream.position : whence === 2 ? handleOf(stream.node).getSize() : 0),
    /** @param {Emscripten} stream */
    fsync(stream) {
      handleOf(stream.node).flush();
      return 0;
    },
  };
  FS.mkdirTree(place);
  const mount = () => Object.assign(FS.createNode(null, "/", FOLDER, 0), { node_ops: folder, stream_ops: {} });
  FS.mount({ mount }, {}, place);
}
