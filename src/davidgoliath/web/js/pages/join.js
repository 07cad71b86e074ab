// Joining a table that somebody else has made, by its code or its link.

import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { CODE_LENGTH } from "../base/facts.js";
import { draw, go } from "../base/router.js";
import { t } from "../base/texts.js";
import { learnOffer, offer } from "../ui/bots.js";
import { form, trouble } from "../ui/forms.js";
import { frame } from "../ui/frame.js";
import { face, icon } from "../ui/pieces.js";

const TABLE = /^(?:.*\/t\/)?([a-z0-9]{1,40})(?:[/?#].*)?$/;
let written = "";
let failed = "";

/** What people type: the letters of a code, or else a link or the table's id at its end. @param {string} text */
async function tableIn(text) {
  const bare = text.toLowerCase().replace(/[\s-]/g, "");
  if (bare.length === CODE_LENGTH) return (await ask("POST /api/codes", { body: { code: bare } })).table;
  const table = TABLE.exec(text.toLowerCase().replace(/\s/g, ""))?.[1];
  if (!table || bare.length < CODE_LENGTH) throw new Refused("no_code", t("page.join_unfit"));
  await ask("GET /api/tables/{table}", { table });
  return table;
}

/** For the code or the link: a line among others, or alone on its page. */
export function joinForm(alone = false) {
  /** @param {{ target: HTMLInputElement }} event */
  const input = (event) => {
    written = event.target.value;
    if (failed) draw();
    failed = "";
  };
  return form(
    { class: alone ? "box stack" : "way wide join" },
    join,
    h("label", { for: "code" }, !alone && h("b", null, t("page.join")), h("span", null, t("page.join_hint"))),
    h(
      "span",
      { class: "with-button" },
      h("input", {
        id: "code",
        type: "text",
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: "false",
        placeholder: t("page.join_code"),
        value: written,
        on: { input },
      }),
      !alone && h("button", { type: "submit", class: "btn", "aria-label": t("page.join_go") }, icon("step")),
    ),
    failed && trouble(failed),
    alone && h("button", { type: "submit", class: "btn act big" }, t("page.join_go")),
  );
}

/** Three sit there already. */
const company = () =>
  h(
    "div",
    { class: "company", "aria-hidden": "true" },
    [0, 2, 3].map((seat) => face(seat)),
    h("span", { class: "face" }, "+"),
  );

async function join() {
  try {
    const table = await tableIn(written);
    written = "";
    go(`/t/${table}`);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    failed = refused.reason === "no_such_table" ? t("page.join_unknown") : refused.message;
    draw();
  }
}

/** @type {import("../base/protocol").ListedTable[]} tables that anyone may join, where the server has a list of them */
let listed = [];

async function lookAround() {
  await learnOffer();
  if (!offer.public_list) return;
  try {
    listed = (await ask("GET /api/tables")).tables;
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    failed = refused.message;
  }
  draw();
}

/** The tables that wait for company. */
function openTables() {
  if (!offer.public_list) return null;
  return h(
    "section",
    { class: "shelf" },
    h("h2", null, t("page.tables")),
    listed.length === 0 && h("p", { class: "quiet" }, t("page.tables_none")),
    h(
      "ul",
      { class: "stack" },
      listed.map(({ table, host, players, open_seats: open, rules, hints }) =>
        h(
          "li",
          { key: table },
          h(
            "a",
            { class: "way wide", href: `/t/${table}` },
            h(
              "span",
              null,
              h("b", null, host),
              h("span", null, t(`page.preset.${rules.split(" ")[0]}`), hints && ` · ${t("page.with_hints")}`),
            ),
            h("span", null, t("page.tables_seats", { count: open, players })),
          ),
        ),
      ),
    ),
  );
}

/** @type {import("../base/router.js").Page} */
export const page = {
  enter: lookAround,
  title: () => t("page.join"),
  leave: () => {
    failed = "";
  },
  view: () =>
    frame(t("page.join"), h("div", { class: "stack" }, company(), joinForm(true), openTables()), { kind: "joining" }),
};
