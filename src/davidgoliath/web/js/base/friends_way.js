// The way to a table with friends, and to games that are elsewhere. A page that has its server with it comes with
// another module in the place of this one (`site/friends_way.js`).

import { keeps } from "./storage.js";
import { t } from "./texts.js";

/** @typedef {{ told: string, href: string, open: string }} Elsewhere  games that aren't here */

/** By which the site that a server offers keeps what it knows. */
const SITE = "dg /site/";

/** The address, and what is to be had there. */
export const friendsWay = () => ({ href: "/friends", hint: t("page.friends_hint") });

/** What to say where there is no server for friends. @type {null | (() => import("./dom.js").Inner)} */
export const needsServer = null;

/** Games in this browser alone, if the site that the server offers was played. @param {number | null} [site] */
export const otherGames = (site) =>
  site && isSecureContext && keeps(SITE)
    ? { told: t("page.games_site"), href: "/site/#/games", open: t("page.games_site_open") }
    : null;
