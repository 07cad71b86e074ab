// Starts the page: language, theme and art first, then the page of the address, as `routes.json` has it.

import { draw, SETTLED, show, start } from "./base/router.js";
import { loadTexts } from "./base/texts.js";
import { isSite, keepForLater } from "./base/transport.js";
import { page as offline } from "./pages/offline.js";
import { notFound } from "./ui/empty_states.js";
import { applyTheme } from "./ui/frame.js";
import { loadArt } from "./ui/pieces.js";

const LINK = "#me=";
const FROM_SITE = "#from=";
await takeLink();
addEventListener("hashchange", async () => (await takeLink()) && show());
addEventListener("storage", draw); // what another tab has changed
applyTheme();
await Promise.all([loadTexts(), loadArt()]);
start({ notFound, offline });
setTimeout(() => keepForLater().catch(() => {}), SETTLED); // not everywhere, and not needed

/** Takes what a link brings out of the address at once, wherever it stands; whether there is another page to show. */
async function takeLink() {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(LINK) && !hash.startsWith(FROM_SITE)) return false;
  history.replaceState({}, "", pathname + search);
  if (hash.startsWith(LINK)) return (await import("./base/personal_link.js")).takeLink(hash);
  return !isSite && (await import("./pages/brought.js")).takeBrought(hash.slice(FROM_SITE.length));
}
