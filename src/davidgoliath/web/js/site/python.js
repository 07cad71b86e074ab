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
