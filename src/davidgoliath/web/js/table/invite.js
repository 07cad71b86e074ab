// How others come to a table: its link, to copy, share or scan, and who can open it.

import { linkTo } from "../base/address.js";
import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { t } from "../base/texts.js";
import { copyLine, shareButton } from "../ui/clipboard.js";
import { reachHint } from "../ui/device_link.js";

/** So many letters of a code stand together. */
const TOGETHER = 3;

/** @type {{ table: string, link: string, reach: import("../base/protocol").Reach | "", code: string | null }} */
let known = { table: "", link: "", reach: "", code: null };

/** @param {string} table */
async function learnLink(table) {
  known = { table, link: linkTo(`/t/${table}`), reach: "", code: null };
  try {
    const told = await ask("GET /api/tables/{table}/link", { table });
    if (known.table === table) known = { table, ...told };
    draw();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused; // the link of this page will do
  }
}

/** The link by which others find a table. @param {string} table */
function linkOf(table) {
  if (known.table !== table) learnLink(table);
  return known;
}

/** @param {string} table */
export function invite(table) {
  const { link, reach, code } = linkOf(table);
  return h(
    "section",
    { class: "box stack invite", key: "invite" },
    h("h2", null, t("page.invite")),
    h(
      "div",
      { class: "ways-in" },
      h("img", { class: "qr", src: `/api/tables/${table}/qr.svg`, width: 132, height: 132, alt: t("page.invite_qr") }),
      h("div", { class: "stack" }, copyLine("link", t("page.invite_link"), link), shareButton(t("page.title"), link)),
    ),
    code && codeToRead(code),
    h("p", { class: `reach ${reach === "computer" ? "warning" : "quiet"}` }, reach && reachHint(reach)),
  );
}

/** Six letters, as large as there is room for. @param {string} code */
function codeToRead(code) {
  const groups = Array.from({ length: Math.ceil(code.length / TOGETHER) }, (_, place) =>
    code.slice(place * TOGETHER, (place + 1) * TOGETHER),
  );
  return h(
    "div",
    { class: "code" },
    h("h3", { id: "code" }, t("page.code")),
    h("output", { "aria-labelledby": "code", "aria-label": [...code].join(" ") }, groups.join(" ")),
    h("p", { class: "quiet" }, t("page.code_hint", { join: t("page.join") })),
  );
}
