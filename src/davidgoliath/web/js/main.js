// Starts the page: language, theme and art first, then the page of the address.

import { lostPage, offlinePage } from "./elsewhere.js";
import { friendsPage } from "./friends.js";
import { gamesPage } from "./games.js";
import { homePage } from "./home.js";
import { joinPage } from "./join.js";
import { keep, own } from "./own.js";
import { privacyPage, rulesPage } from "./papers.js";
import { loadArt } from "./pieces.js";
import { replayPage } from "./replay.js";
import { register, start } from "./router.js";
import { settingsPage } from "./settings.js";
import { tablePage } from "./table.js";
import { loadTexts } from "./texts.js";
import { applyTheme } from "./theme.js";

register(/^\/$/, homePage);
register(/^\/t\/([a-z0-9]+)$/, tablePage);
register(/^\/replay\/([a-z0-9]+)$/, replayPage);
register(/^\/friends$/, friendsPage);
register(/^\/join$/, joinPage);
register(/^\/games$/, gamesPage);
register(/^\/settings$/, settingsPage);
register(/^\/rules$/, rulesPage);
register(/^\/privacy$/, privacyPage);
register(/^\/offline$/, offlinePage);
register(/^/, lostPage); // whatever is left: stays the last one

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
  keep();
  history.replaceState({}, "", location.pathname);
}
