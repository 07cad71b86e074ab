// Starts Python from the files of a folder, in a worker; the build does the same, to find out what is needed.

/** What of the program was compiled for the browser; `quick_start.py` calls it so. */
const EXTENSION = "/msgspec_core.so";
const NOTHING_MORE = JSON.stringify({
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", python: "3.14", version: "0" },
  packages: {},
});

/**
 * @typedef {any} Emscripten  what runs Python
 * @typedef {{ size: number, read: (into: Uint8Array) => void }} Memory
 */

/**
 * Memory that another start had (`makeMemorySnapshot`) can be gone on with. So the extension comes before all else: it
 * lies in the same place then, every time.
 * @param {string} folder  the address of a folder, with a slash at its end
 * @param {{ archive?: string, memory?: Memory, _makeSnapshot?: boolean }} [how]
 */
export async function startPython(folder, { archive = "python.zip", memory, ...more } = {}) {
  const running = import(`${folder}pyodide.asm.mjs`);
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const known = memory && new Uint8Array(memory.size);
  /** @param {Emscripten} settings */
  const createPyodideModule = async (settings) => {
    const { default: create } = await running;
    return new Promise((made, failed) => {
      const read = once(() => known && memory.read(known));
      /** @param {Emscripten} module */
      const begin = (module) => {
        module.addRunDependency(EXTENSION);
        module
          .loadDynamicLibrary(EXTENSION, { loadAsync: true, nodelete: true }, {})
          .then(read)
          .then(() => known && module.growMemory(sizeOf(known)))
          .then(() => module.removeRunDependency(EXTENSION))
          .catch(failed);
      };
      const locateFile = (/** @type {string} */ name) => folder + name.slice(1);
      create({ ...settings, locateFile, preRun: [...settings.preRun, begin] }).then(made, failed);
      setTimeout(read); // while other threads compile
    });
  };
  const python = await loadPyodide({
    indexURL: folder,
    stdLibURL: folder + archive,
    lockFileContents: NOTHING_MORE,
    createPyodideModule,
    ...(known ? { _loadSnapshot: known } : more),
  });
  if (known) free(known);
  return python;
}

/** @param {() => void} work  is done the first time that it is asked for */
function once(work) {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** It needn't wait for the collector of garbage, as large as it is. @param {Uint8Array} memory */
export const free = ({ buffer }) =>
  /** @type {ArrayBuffer & { transfer?: (size: number) => void }} */ (buffer).transfer?.(0);

/** Of the memory itself, without what is said of it before. @param {Uint8Array} memory */
const sizeOf = (memory) => memory.length - new DataView(memory.buffer, memory.byteOffset).getUint32(4, true);

/**
 * Lets workers share what runs Python, compiled: that takes time, and more memory than all else.
 * @param {WebAssembly.Module} [known]  from another worker
 * @returns {() => WebAssembly.Module}  gives it once Python runs
 */
export function shareCompiled(known) {
  const plain = WebAssembly.instantiateStreaming;
  /** @type {WebAssembly.Module} */
  let module;
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const made = known
      ? { module: known, instance: await WebAssembly.instantiate(known, imports) }
      : await plain(source, imports);
    module = made.module;
    return made;
  };
  return () => module;
}
