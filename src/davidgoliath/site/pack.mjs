// Run by `site build`: makes one archive of all that Python needs in a browser, compiled by the same Python that will
// run it there. What is needed, a rehearsal shows.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [parts, program, out, starter, packer, rehearsal] = process.argv.slice(2);
const { startPython } = await import(pathToFileURL(starter).href);
const { loadPyodide } = await import(pathToFileURL(`${parts}/pyodide/pyodide.mjs`).href);

try {
  await pack();
} catch (error) {
  process.exitCode = 1;
  console.error(error.message); // and not the line of code that it came from, which may be a megabyte long
}
process.exit();

async function pack() {
  const python = await loadPyodide({ indexURL: `${parts}/pyodide/` });
  for (const [place, folder] of Object.entries({ "/parts": parts, "/program": program, "/out": out })) {
    python.FS.mkdirTree(place);
    python.mountNodeFS(place, folder);
  }
  const globals = python.toPy({});
  python.runPython(readFileSync(packer, "utf8"), { globals });
  globals.get("write_all")();
  const { modules, texts } = await rehearse("all.zip");
  globals.get("write_needed")(python.toPy(modules), python.toPy(texts));
  await rehearse("python.zip");
}

/** Plays, and says which modules that took, and which texts they compiled. @param {string} archive */
async function rehearse(archive) {
  const stage = await startPython(`${out}/`, { archive });
  stage.FS.mkdir("/rehearsal");
  const globals = stage.toPy({});
  stage.runPython(readFileSync(rehearsal, "utf8"), { globals });
  const { bots, ...needed } = JSON.parse(await globals.get("show_needs")("/rehearsal"));
  writeFileSync(`${out}/bots.json`, JSON.stringify(bots));
  return needed;
}
