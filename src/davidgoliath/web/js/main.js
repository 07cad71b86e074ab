// Starts the page: language, theme and art first, then the page of the address.

import { own } from "./own.js";
import { loadArt } from "./pieces.js";
import { register, start } from "./router.js";
import { tablePage } from "./table.js";
import { loadTexts } from "./texts.js";
import { applyTheme } from "./theme.js";

register(/^\/t\/([a-z0-9]+)$/, tablePage);

applyTheme();
takePersonalLink();
await Promise.all([loadTexts(), loadArt()]);
start();

/** A personal link carries its token behind #, where no server sees it: it is kept, and gone from the address at once. */
function takePersonalLink() {
  const found = /^#me=([\w-]{20,100})$/.exec(location.hash);
  if (!found) return;
  own.token = found[1];
  delete own.person;
  delete own.name;
  history.replaceState({}, "", location.pathname);
}
