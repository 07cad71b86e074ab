// Somebody has followed a personal link: whose it is, and whether this browser should become that person. Nothing is
// kept before they say yes. Without a link the page says who plays here.

import { href } from "../base/address.js";
import { Refused, whose } from "../base/api.js";
import { h } from "../base/dom.js";
import { isUnknown, whatFailed } from "../base/person.js";
import { broughtToken, letGo } from "../base/personal_link.js";
import { draw } from "../base/router.js";
import { be, isLost, stored } from "../base/storage.js";
import { isolated, t } from "../base/texts.js";
import { nothing, offline } from "../ui/empty_states.js";
import { frame } from "../ui/frame.js";
import { button, stone } from "../ui/pieces.js";

/** For so many ms a yes doesn't count: the tap may have been meant for the page that was here before. */
const TAKEN_ABACK = 700;

/** @type {import("../base/storage.js").Identity | null} whose link it is */
let found = null;
/** @type {unknown} */
let failed = null;
let ready = false;

/** @type {import("../base/router.js").Page} */
export const page = {
  enter: look,
  leave: letGo,
  title: () => t("page.link"),
  view: () => frame(t("page.link"), content(), { kind: "arrival" }),
};

async function look() {
  found = failed = null;
  ready = false;
  const token = broughtToken() ?? stored.token;
  if (!token) return;
  try {
    found = await whose(token);
    setTimeout(() => {
      ready = true;
      draw();
    }, TAKEN_ABACK);
  } catch (refused) {
    if (isUnknown(refused) && broughtToken() === null) isLost(token);
    failed = refused;
  }
  draw();
}

function content() {
  const token = broughtToken();
  if (token === null) return stored.token ? me(false) : nobody();
  if (failed instanceof Refused && failed.reason === "offline") return offline(failed.message, look);
  if (token === "" || isUnknown(failed)) return nothing(t("page.link_unknown"), t("page.link_unchanged"), home());
  if (failed) return nothing(whatFailed(failed), t("page.link_unchanged"), home());
  if (!found) return h("p", { class: "quiet", role: "status" }, t("page.loading"));
  return token === stored.token ? me(true) : question(found);
}

/** Who one is now, and the table that waits, if one does. @param {boolean} unchanged  as one was before */
function me(unchanged) {
  const name = found?.name ?? stored.name ?? "?";
  const table = found ? found.table : stored.table;
  return h(
    "section",
    { class: "box stack", key: "me" },
    h("div", { class: "turning", "aria-hidden": "true" }, one(10, name)),
    h("h2", null, t("page.link_is_you", { name })),
    unchanged && h("p", { class: "quiet" }, t("page.link_unchanged")),
    table && h("p", null, t("page.home_waiting")),
    h(
      "p",
      { class: "acts" },
      table && h("a", { class: "btn act", href: `/t/${table}` }, t("page.return")),
      h("a", { class: table ? "btn" : "btn act", href: "/" }, t("page.home")),
    ),
  );
}

/** Nobody plays here: not any more, if this browser was signed out. */
function nobody() {
  const past = stored.past?.[0];
  if (past)
    return nothing(
      t("page.signed_out", { name: past.name ?? "?" }),
      t("page.signed_out_hint", { name: past.name ?? "?" }),
      home(),
    );
  return nothing(t("page.link_is_nobody"), "", home());
}

/** @param {import("../base/storage.js").Identity} other */
function question(other) {
  const name = other.name ?? "?";
  const me = stored.name ?? "?";
  const isMe = other.person === stored.person;
  const yes = () => {
    if (!ready) return;
    be(other);
    location.replace(href("/me")); // as somebody else everything begins anew
  };
  const who = stored.token
    ? t(isMe ? "page.link_for_me" : "page.link_for_other", { me, name })
    : t("page.link_for", { name });
  return h(
    "section",
    { class: "box stack", role: "group", "aria-labelledby": "question" },
    h(
      "div",
      { class: "turning", "aria-hidden": "true" },
      stored.token && !isMe && [one(4, me), h("span", null, "→")],
      one(10, name),
    ),
    h("p", null, who),
    other.table && h("p", null, t("page.link_table", { name })),
    h("h2", { id: "question" }, t("page.link_question", { name })),
    h("p", { class: "warning" }, t("page.link_warning")),
    stored.token && !isMe && h("p", { class: "quiet" }, t("page.link_way_back", { name: me })),
    h(
      "p",
      { class: "acts" },
      h("a", { class: "btn act", href: "/" }, stored.token ? t("page.link_stay", { name: me }) : t("page.no")),
      button(t("page.link_become", { name }), yes, { disabled: !ready }),
    ),
  );
}

/** @param {number} value @param {string} name */
const one = (value, name) =>
  h("span", { class: "one" }, h("span", { class: "face" }, stone(value)), h("span", { class: "name" }, isolated(name)));

const home = () => h("a", { class: "btn act", href: "/" }, t("page.home"));
