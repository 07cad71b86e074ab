// No line to the server, and what works without one.

import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { offline } from "../ui/empty_states.js";
import { frame } from "../ui/frame.js";

const stillThere = () =>
  h("p", { class: "foot" }, h("a", { href: "/score" }, t("page.pad")), h("a", { href: "/rules" }, t("page.rules")));

/** @param {() => void} again */
export const unreachable = (again) =>
  frame(t("page.title"), [offline(t("page.offline"), again), stillThere()], { kind: "lost" });

/** Browsers remember that they couldn't fetch a module: once there is a line, the page is opened anew. */
async function openAnew() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (!answer) return;
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

/** Whoever was sent here while offline tries again where they wanted to be. @type {import("../base/router.js").Page} */
export const page = {
  title: () => t("page.offline_headline"),
  view: () => unreachable(openAnew),
};
