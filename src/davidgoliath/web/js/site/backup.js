// The games of this browser as a file, to keep them elsewhere or to go on with them in another browser.

import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { be, stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { request } from "../base/transport.js";
import { download } from "../ui/download.js";
import { trouble } from "../ui/forms.js";
import { button } from "../ui/pieces.js";

/** @typedef {{ format: string, identity: import("../base/storage.js").Identity | null, games: string }} Backup */

const FORMAT = "davidgoliath-site/1";
const GAMES = "/games";

let said = "";
let failed = "";

/** What can be done about it. */
export function backup() {
  /** @param {Event} event */
  const change = (event) => void take(/** @type {HTMLInputElement} */ (event.target));
  return h(
    "section",
    { class: "box stack", key: "backup" },
    h("h2", null, t("site.games")),
    h("p", null, t("site.games_hint")),
    h(
      "div",
      { class: "acts" },
      button(t("site.games_save"), save),
      h(
        "label",
        { class: "btn" },
        t("site.games_take"),
        h("input", { type: "file", class: "vh", accept: ".json,application/json", on: { change } }),
      ),
    ),
    h("p", { class: "quiet", role: "status" }, said),
    failed && trouble(failed),
  );
}

async function save() {
  const { token, person, name } = stored;
  const { text } = await request("GET", GAMES);
  const identity = token ? { token, person, name } : null;
  /** @type {Backup} */
  const file = { format: FORMAT, identity, games: text };
  download("davidgoliath-games.json", JSON.stringify(file), "application/json");
}

/** @param {HTMLInputElement} input */
async function take(input) {
  const [file] = input.files ?? [];
  if (!file) return;
  said = failed = "";
  try {
    /** @type {Backup} */
    const { format, identity, games } = JSON.parse(await file.text());
    if (format !== FORMAT) throw new Error(format);
    const { status, text } = await request("POST", GAMES, {}, games);
    if (status !== 200) throw new Error(text);
    if (identity && identity.person !== stored.person) be(identity);
    said = t("site.games_taken", { count: Number(text) });
  } catch {
    failed = t("site.games_unfit");
  }
  input.value = "";
  draw();
}
