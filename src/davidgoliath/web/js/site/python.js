// Starts Python from the files of a folder, in a worker; the build does the same, to find out what is needed.

/** What was compiled for the browser, and where the program looks for it. */
const EXTENSION = "/msgspec_core.so";
const NOTHING_MORE = JSON.stringify({
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", python: "3.14", version: "0" },
  packages: {},
});

/**
 * @param {string} folder  the address of a folder, with a slash at its end
 * @param {Uint8Array} extension
 * @param {string} [archive]
 */
export async function startPython(folder, extension, archive = "python.zip") {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const python = await loadPyodide({
    indexURL: folder,
    stdLibURL: folder + archive,
    lockFileContents: NOTHING_MORE,
  });
  python.FS.writeFile(EXTENSION, extension);
  return python;
}

/** What of the program was compiled for the browser. @param {string} folder */
export const extensionOf = async (folder) =>
  new Uint8Array(await (await fetch(`${folder}msgspec_core.so`)).arrayBuffer());

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
