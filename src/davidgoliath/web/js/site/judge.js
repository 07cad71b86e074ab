// The judge of hints and reviews: the same program again, in a worker of its own, so that no table waits for it.

import { shareCompiled, startPython } from "./python.js";

/** @typedef {{ folder: string, module: WebAssembly.Module, number: number, asked: string }} Question */

/** @type {Promise<(asked: string) => string> | null} */
let judge = null;

addEventListener("message", async (/** @type {MessageEvent<Question>} */ { data }) => {
  const { folder, module, number, asked } = data;
  judge ??= open(folder, module);
  const work = await judge;
  postMessage({ number, answer: work(asked) });
});

/** @param {string} folder @param {WebAssembly.Module} module */
async function open(folder, module) {
  shareCompiled(module);
  const python = await startPython(folder);
  return python.pyimport("davidgoliath.server.ops.away").done;
}
