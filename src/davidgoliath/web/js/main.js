// Starts the page: language, theme and art first, then the page of the address. Each page is fetched when it is wanted,
// with its own style if it has one.

import { lostPage, offlinePage } from "./elsewhere.js";
import { takeLink } from "./mylink.js";
import { loadArt } from "./pieces.js";
import { register, SETTLED, show, start } from "./router.js";
import { build, language, loadTexts } from "./texts.js";
import { applyTheme } from "./theme.js";

register(/^\/$/, async () => (await import("./home.js")).homePage);
register(/^\/t\/([a-z0-9]+)$/, async () => (await import("./table.js")).tablePage);
register(/^\/replay\/([a-z0-9]+)$/, async () => (await import("./replay.js")).replayPage, "replay.css");
register(/^\/learn$/, async () => (await import("./learn.js")).learnPage, "learn.css");
register(/^\/friends$/, async () => (await import("./friends.js")).friendsPage);
register(/^\/join$/, async () => (await import("./join.js")).joinPage);
register(/^\/score$/, async () => (await import("./pad.js")).padPage, "pad.css");
register(/^\/games$/, async () => (await import("./games.js")).gamesPage);
register(/^\/me$/, async () => (await import("./arrival.js")).arrivalPage);
register(/^\/settings$/, async () => (await import("./settings.js")).settingsPage);
register(/^\/rules$/, async () => (await import("./papers.js")).rulesPage);
register(/^\/privacy$/, async () => (await import("./papers.js")).privacyPage);
register(/^\/offline$/, async () => offlinePage);
register(/^/, async () => lostPage); // whatever is left: stays the last one

takeLink();
addEventListener("hashchange", () => void (takeLink() && show()));
applyTheme();
await Promise.all([loadTexts(), loadArt()]);
start(offlinePage);
setTimeout(() => keepForLater().catch(() => {}), SETTLED); // not everywhere, and not needed

/** The page without a network: it says so in the reader's language, and shows the rules. */
async function keepForLater() {
  await navigator.serviceWorker.register("/sw.js");
  const texts = [`${language()}.json`, `rules.${language()}.md`].map((name) => `/web/${build}/texts/${name}`);
  await (await caches.open(`page-${build}`)).addAll(texts);
}
