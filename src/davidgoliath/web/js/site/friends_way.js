// The way to a table with friends: to a server, if the site knows one. In a build of a site this module stands in the
// place of that in `base`.

import { h } from "../base/dom.js";
import { stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { settings } from "./transport.js";

/** The address of that server, without a slash at its end; empty if there is none. */
const address = settings.server && new URL(settings.server, location.href).origin;
const server = address && new URL(address).host;

/** The address, and what is to be had there: with a network a server's own page, by the first tap. */
export function friendsWay() {
  if (!address) return { href: "/friends", hint: t("site.friends_hint") };
  return { href: navigator.onLine ? there() : "/friends", hint: t("site.friends_there", { server }) };
}

/** That page. It is told name and settings behind `#`, which no browser sends, and never a token. */
function there() {
  const { name, settings } = stored;
  return `${address}/friends#from=${encodeURIComponent(JSON.stringify({ name, settings }))}`;
}

/** What to say of tables with friends: nobody else can reach this one. */
export const needsServer = () =>
  h(
    "section",
    { class: "box stack" },
    h("p", null, t("site.friends")),
    address
      ? [
          h("p", null, t("site.friends_take")),
          h("p", { class: "acts" }, h("a", { class: "btn act", href: there() }, t("site.friends_go", { server }))),
        ]
      : [h("p", null, t("site.server")), h("pre", null, "./dg play --lan")],
  );

/** The games at that server. @returns {import("../base/friends_way.js").Elsewhere | null} */
export const otherGames = () =>
  address
    ? { told: t("site.games_there", { server }), href: `${address}/games`, open: t("site.friends_go", { server }) }
    : null;
