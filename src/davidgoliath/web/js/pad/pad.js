// The score pad, for people with the real cards. It asks nobody anything, so it works without a network.

import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { t } from "../base/texts.js";
import { textButton } from "../ui/clipboard.js";
import { trouble } from "../ui/forms.js";
import { homeLink } from "../ui/frame.js";
import { button, face, icon, iconButton, segments } from "../ui/pieces.js";
import { book, canUndo, nextDeal, read, replacePad, setQuick, turnTo, undo } from "./book.js";
import { padJson, padLines, parsePad, Unfit } from "./format.js";
import { bubble, forgetRefusal, keys, leftovers } from "./keypad.js";
import { byColour, ranking, totalsTable, turnsLine, winners } from "./scores.js";
import { reckon } from "./scoring.js";
import { beginSetup, setupForm } from "./setup.js";

/** @typedef {import("./scoring.js").Pad} Pad @typedef {ReturnType<typeof reckon>} Result */

let setting = false;
let sure = false;
let failed = "";
let looking = false;

/** @type {import("../base/router.js").Page} */
export const page = {
  enter() {
    setting = sure = false;
    failed = "";
    forgetRefusal();
    beginSetup();
    addEventListener("storage", follow);
  },
  leave: () => removeEventListener("storage", follow),
  title: () => t("page.pad"),
  drawn() {
    const entry = looking && document.querySelector(".entry");
    looking = false;
    if (!entry) return;
    const { top } = entry.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 4) entry.scrollIntoView();
  },
  view: () => {
    const { pad } = book;
    return h(
      "div",
      { class: `page pad ${pad && !setting ? "running" : ""}`, key: "pad" },
      h(
        "div",
        { class: pad && !setting ? "in" : "in column" },
        h(
          "header",
          { class: "top" },
          setting ? iconButton("back", t("page.pad"), () => set(closeSetup)) : homeLink(),
          h("h1", { class: "grow" }, t("page.pad")),
          !setting &&
            iconButton("undo", t("page.pad_undo"), () => set(undo), { disabled: !canUndo(), "data-act": "undo" }),
        ),
        h(
          "main",
          null,
          pad && !setting
            ? running(pad)
            : [
                setupForm(() => set(closeSetup, lookAtKeys)),
                !pad &&
                  h(
                    "section",
                    { class: "box stack", key: "file" },
                    h("h2", null, t("page.pad_open")),
                    opener(),
                    failed && trouble(failed),
                  ),
              ],
        ),
      ),
    );
  },
};

/** The keys come into sight, from the first colour on. */
function lookAtKeys() {
  looking = true;
}

function openSetup() {
  setting = true;
  beginSetup();
  scrollTo(0, 0);
}

function closeSetup() {
  setting = false;
}

/** Another page of this browser wrote on the pad. */
function follow() {
  read();
  draw();
}

/** Does something, and shows it. @param {(() => void)[]} acts */
function set(...acts) {
  forgetRefusal();
  failed = "";
  for (const act of acts) act();
  draw();
}

/** @param {Pad} pad */
function running(pad) {
  const result = reckon(pad);
  const { deal: number, scored } = book.at;
  const done = scored && result.deals[number].complete;
  return h(
    "div",
    { class: "halves", key: "halves" },
    h(
      "section",
      { class: "box stack so-far", key: "so-far" },
      totalsTable(pad, result, number, (deal) =>
        set(() => turnTo({ deal, seat: 0, scored: result.deals[deal].complete })),
      ),
    ),
    done ? scores(pad, result) : entry(pad, result),
    more(pad),
  );
}

/** Writing a deal down, player by player. @param {Pad} pad @param {Result} result */
function entry(pad, result) {
  const { deal: number, seat } = book.at;
  const deal = result.deals[number];
  return h(
    "div",
    { class: "stack entry", key: "entry" },
    h(
      "div",
      { class: "mode" },
      h(
        "div",
        null,
        h("h2", null, t("page.deal_of", { deal: number + 1, deals: Math.max(result.most, result.deals.length) })),
        turnsLine(pad, deal),
      ),
      segments(
        t("page.pad_mode"),
        [
          ["cards", t("page.pad_by_cards")],
          ["quick", t("page.pad_quick")],
        ],
        book.quick ? "quick" : "cards",
        (mode) => set(() => setQuick(mode === "quick")),
      ),
    ),
    h(
      "div",
      { class: `seats p${pad.names.length}`, role: "group", "aria-label": t("page.players") },
      pad.names.map((name, who) => {
        const begun = pad.deals[number][who].some((values) => values.length);
        return h(
          "button",
          {
            type: "button",
            key: who,
            "aria-pressed": String(who === seat),
            "data-seat": who,
            on: { click: () => set(() => turnTo({ seat: who })) },
          },
          face(who),
          h("span", { class: "name" }, name),
          h("small", null, begun ? `${deal.scores[who]} ${t("page.points_short")}` : t("page.pad_to_do")),
        );
      }),
    ),
    keys(pad, deal, result.highest),
    leftovers(pad, deal, result.highest),
    bottom(pad, result),
  );
}

/** How far it is, and what comes next. @param {Pad} pad @param {Result} result */
function bottom(pad, result) {
  const { deal: number, seat } = book.at;
  const deal = result.deals[number];
  const total = 5 * result.highest;
  const left = deal.left.reduce((sum, count) => sum + count, 0);
  const next = (seat + 1) % pad.names.length;
  const vague = deal.points.findIndex((worths) => worths.includes(null));
  const said =
    left || vague < 0
      ? t("page.pad_placed", { count: total - left, total })
      : t("page.pad_vague", { name: pad.names[vague] });
  return h(
    "div",
    { class: "padbar", key: "bar" },
    bubble(pad),
    h("p", { role: "status" }, said),
    deal.complete
      ? button(t("page.pad_score"), () => set(show), { class: "act", key: "score", "data-act": "score" })
      : button(t("page.pad_next", { name: pad.names[next] }), () => set(() => turnTo({ seat: next }), lookAtKeys), {
          class: "act",
          key: "next",
          "data-act": "next",
        }),
  );
}

/** The scores, from the top. */
function show() {
  turnTo({ scored: true });
  scrollTo(0, 0);
}

/** A deal that is complete. @param {Pad} pad @param {Result} result */
function scores(pad, result) {
  const { deal: number } = book.at;
  const last = number === result.deals.length - 1;
  return h(
    "div",
    { class: "stack scored", key: "scored" },
    h(
      "h2",
      { class: "headline" },
      result.over && last ? winners(pad, result) : t("page.deal_is_over", { deal: number + 1 }),
    ),
    h("section", { class: "box" }, ranking(pad, result, number)),
    h(
      "section",
      { class: "box stack" },
      h("h3", null, t("score.title")),
      byColour(pad, result, number),
      h("p", { class: "quiet" }, t("page.pad_rule")),
    ),
    last && !result.over && turnsLine(pad, result.next),
    h(
      "div",
      { class: "acts" },
      button(t("page.pad_correct"), () => set(() => turnTo({ scored: false, seat: 0 })), {
        key: "correct",
        "data-act": "correct",
      }),
      last
        ? !result.over &&
            button(t("page.deal_next", { deal: number + 2 }), () => set(nextDeal, lookAtKeys), {
              key: "on",
              class: "act",
              "data-act": "on",
            })
        : button(
            t("page.deal_next", { deal: number + 2 }),
            () => set(() => turnTo({ deal: number + 1, seat: 0, scored: result.deals[number + 1].complete })),
            { key: "on", class: "act" },
          ),
      result.over && last && textButton(t("page.share"), padLines(pad)),
    ),
  );
}

/** What can be done with the whole pad. @param {Pad} pad */
function more(pad) {
  const file = `data:application/json,${encodeURIComponent(padJson(pad))}`;
  /** @param {boolean} wish */
  const ask = (wish) =>
    set(() => {
      sure = wish;
    });
  return h(
    "section",
    { class: "box stack more", key: "more" },
    h("h2", null, t("page.pad_this")),
    h(
      "div",
      { class: "acts" },
      textButton(t("page.pad_share"), padLines(pad)),
      h(
        "a",
        { class: "btn", key: "file", href: file, download: "davidgoliath-pad.json", "data-act": "file" },
        icon("download"),
        t("page.pad_file"),
      ),
      opener(),
      button(t("page.pad_setup"), () => set(openSetup), { key: "setup" }),
      !sure && button(t("page.pad_new"), () => ask(true), { key: "new", "data-act": "new" }),
    ),
    sure &&
      h(
        "div",
        { class: "warning stack", role: "group", "aria-labelledby": "sure" },
        h("p", { id: "sure" }, t("page.pad_sure")),
        h(
          "p",
          { class: "acts" },
          button(t("page.data_keep"), () => ask(false), { focus: true }),
          button(t("page.pad_new"), renew, { class: "act", "data-act": "renew" }),
        ),
      ),
    failed && trouble(failed),
  );
}

function renew() {
  set(() => {
    replacePad(null);
    sure = false;
    beginSetup();
    scrollTo(0, 0);
  });
}

/** A file with a pad. */
function opener() {
  /** @param {{ target: HTMLInputElement }} event */
  const change = async ({ target }) => {
    const file = target.files?.[0];
    if (!file) return;
    const text = await file.text();
    target.value = "";
    set(() => open(text));
  };
  return h(
    "label",
    { class: "btn opener", key: "open" },
    t("page.pad_open_file"),
    h("input", { type: "file", class: "vh", accept: ".json,application/json", on: { change } }),
  );
}

/** @param {string} text */
function open(text) {
  try {
    replacePad(parsePad(text));
  } catch (unfit) {
    if (!(unfit instanceof Unfit)) throw unfit;
    failed = unfit.message;
  }
}
