// Somebody has followed a personal link: whose it is, and whether this browser should become that person. Nothing is kept
// before they say yes. Without a link the page says who plays here.

import { Refused, whose } from "./api.js";
import { h } from "./dom.js";
import { nothing, offline } from "./elsewhere.js";
import { frame } from "./frame.js";
import { broughtToken, letGo } from "./mylink.js";
import { be, own } from "./own.js";
import { isUnknown, whatFailed } from "./person.js";
import { button, stone } from "./pieces.js";
import { draw } from "./router.js";
import { isolated, t } from "./texts.js";

/** For so many ms a yes doesn't count: the tap may have been meant for the page that was here before. */
const TAKEN_ABACK = 700;

/** @type {import("./own.js").Identity | null} whose link it is */
let found = null;
/** @type {unknown} */
let failed = null;
let ready = false;

/** @type {import("./router.js").Page} */
export const arrivalPage = {
  enter: look,
  leave: letGo,
  title: () => t("page.link"),
  view: () => frame(t("page.link"), content(), { kind: "arrival" }),
};

async function look() {
  found = failed = null;
  ready = false;
  const token = broughtToken();
  if (!token) return;
  try {
    found = await whose(token);
    setTimeout(() => ((ready = true), draw()), TAKEN_ABACK);
  } catch (refused) {
    failed = refused;
  }
  draw();
}

function content() {
  const token = broughtToken();
  if (token === null) return nobody();
  if (failed instanceof Refused && failed.reason === "offline") return offline(failed.message, look);
  if (token === "" || isUnknown(failed)) return nothing(t("page.link_unknown"), t("page.link_unchanged"), home());
  if (failed) return nothing(whatFailed(failed), t("page.link_unchanged"), home());
  if (!found) return h("p", { class: "quiet", role: "status" }, t("page.loading"));
  return token === own.token ? nothing(t("page.link_is_you", { name: own.name ?? "?" }), t("page.link_unchanged"), home()) : question(found);
}

/** Who plays here: nobody any more, if this browser was signed out. */
function nobody() {
  const past = own.past?.[0];
  if (own.token) return nothing(t("page.link_is_you", { name: own.name ?? "?" }), "", home());
  if (past) return nothing(t("page.signed_out", { name: past.name ?? "?" }), t("page.signed_out_hint", { name: past.name ?? "?" }), home());
  return nothing(t("page.link_is_nobody"), "", home());
}

/** @param {import("./own.js").Identity} other */
function question(other) {
  const name = other.name ?? "?";
  const me = own.name ?? "?";
  const isMe = other.person === own.person;
  const yes = () => {
    if (!ready) return;
    be(other);
    location.replace("/"); // as somebody else everything begins anew
  };
  const who = own.token ? t(isMe ? "page.link_for_me" : "page.link_for_other", { me, name }) : t("page.link_for", { name });
  return h(
    "section",
    { class: "box stack", role: "group", "aria-labelledby": "question" },
    h("div", { class: "turning", "aria-hidden": "true" }, own.token && !isMe && [one(4, me), h("span", null, "→")], one(10, name)),
    h("p", null, who),
    h("h2", { id: "question" }, t("page.link_question", { name })),
    h("p", { class: "warning" }, t("page.link_warning")),
    own.token && !isMe && h("p", { class: "quiet" }, t("page.link_way_back", { name: me })),
    h("p", { class: "acts" }, h("a", { class: "btn act", href: "/" }, own.token ? t("page.link_stay", { name: me }) : t("page.no")), button(t("page.link_become", { name }), yes, { disabled: !ready })),
  );
}

/** @param {number} value @param {string} name */
const one = (value, name) => h("span", { class: "one" }, h("span", { class: "face" }, stone(value)), h("span", { class: "name" }, isolated(name)));

const home = () => h("a", { class: "btn act", href: "/" }, t("page.home"));
