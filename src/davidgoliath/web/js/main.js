// Starts the page: language, theme and art first, then the page of the address, as `routes.json` has it.

import { draw, SETTLED, show, start } from "./base/router.js";
import { loadTexts } from "./base/texts.js";
import { keepForLater } from "./base/transport.js";
import { page as offline } from "./pages/offline.js";
import { notFound } from "./ui/empty_states.js";
import { applyTheme } from "./ui/frame.js";
import { loadArt } from "./ui/pieces.js";

const LINK = "#me=";
await takeLink();
addEventListener("hashchange", async () => (await takeLink()) && show());
addEventListener("storage", draw); // what another tab has changed
applyTheme();
await Promise.all([loadTexts(), loadArt()]);
start({ notFound, offline });
setTimeout(() => keepForLater().catch(() => {}), SETTLED); // not everywhere, and not needed

/** Takes a personal link out of the address at once, wherever it stands; whether it is one to ask about. */
async function takeLink() {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(LINK)) return false;
  history.replaceState({}, "", pathname + search);
  return (await import("./base/personal_link.js")).takeLink(hash);
}
