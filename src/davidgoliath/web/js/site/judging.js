// Where the server of a site has hints and reviews worked out: in another worker, as long as there is something to do.

/** So many milliseconds without a question it stays: it needs as much memory as the server. */
const PATIENCE = 30_000;

/**
 * @param {string} folder  where Python is
 * @param {() => WebAssembly.Module} compiled
 * @param {(number: number, answer: string) => void} hear  is told the answer to each question; if it is lost, nothing
 */
export function judging(folder, compiled, hear) {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Set<number>} */
  const asked = new Set();
  let later = 0;

  function end() {
    worker?.terminate();
    worker = null;
    for (const number of asked) hear(number, "");
    asked.clear();
  }

  function begun() {
    const begun = new Worker(new URL("./judge.js", import.meta.url), { type: "module" });
    begun.onerror = end;
    begun.onmessage = (/** @type {MessageEvent<{ number: number, answer: string }>} */ { data }) => {
      asked.delete(data.number);
      if (!asked.size) later = setTimeout(end, PATIENCE);
      hear(data.number, data.answer);
    };
    return begun;
  }

  return (/** @type {number} */ number, /** @type {string} */ question) => {
    clearTimeout(later);
    asked.add(number);
    worker ??= begun();
    worker.postMessage({ folder, module: compiled(), number, asked: question });
  };
}
