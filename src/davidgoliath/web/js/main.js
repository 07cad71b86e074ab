// Starts the page: language, theme and art first, then the page of the address, as `routes.json` has it.

import { takeLink } from "./base/personal_link.js";
import { draw, SETTLED, show, start } from "./base/router.js";
import { build, language, loadTexts } from "./base/texts.js";
import { applyTheme } from "./base/theme.js";
import { page as notFound } from "./pages/not_found.js";
import { page as offline } from "./pages/offline.js";
import { loadArt } from "./ui/pieces.js";

takeLink();
addEventListener("hashchange", () => void (takeLink() && show()));
addEventListener("storage", draw); // what another tab has changed
applyTheme();
await Promise.all([loadTexts(), loadArt()]);
start({ notFound, offline });
setTimeout(() => keepForLater().catch(() => {}), SETTLED); // not everywhere, and not needed

/** The page without a network: it says so in the reader's language, and shows the rules. */
async function keepForLater() {
  await navigator.serviceWorker.register("/sw.js");
  const texts = [`${language()}.json`, `rules.${language()}.md`].map((name) => `/web/${build}/texts/${name}`);
  await (await caches.open(`page-${build}`)).addAll(texts);
}
