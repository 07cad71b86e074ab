// My figures: how one plays, as sums that the server keeps, luck and skill apart.

import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { isUnknown } from "../base/person.js";
import { draw } from "../base/router.js";
import { stored } from "../base/storage.js";
import { capital, has, language, loadTexts, t } from "../base/texts.js";
import { viewport } from "../base/viewport.js";
import { botName, learnOffer, levelStone, levels } from "../ui/bots.js";
import { nothing, offline } from "../ui/empty_states.js";
import { trouble } from "../ui/forms.js";
import { frame } from "../ui/frame.js";
import { face, stone } from "../ui/pieces.js";
import { balance } from "./balance.js";
import { meanOf } from "./interval.js";
import { change, percent, points } from "./numbers.js";
import { trend } from "./trend.js";

/**
 * @typedef {import("../base/protocol").WeekShown} Week
 * @typedef {import("../base/protocol").Sum} Sum
 */

const ERRORS = ["inaccuracy", "mistake", "blunder"];
const PEOPLE = "people";
/** With so many choices a week's figure says something. */
const ENOUGH = 10;
const CHART = 200;

/** @type {import("../base/protocol").Figures | null} */
let figures = null;
/** @type {Refused | null} */
let failed = null;

/** @type {import("../base/router.js").Page} */
export const page = {
  async enter() {
    void learnOffer();
    addEventListener("resize", draw);
    await load();
  },
  leave: () => removeEventListener("resize", draw),
  title: () => t("page.figures"),
  view: () => frame(t("page.figures"), content(), { kind: "figures" }),
};

async function load() {
  failed = figures = null;
  await loadTexts("study.");
  if (stored.token) {
    try {
      figures = await ask("GET /api/me/figures");
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      if (!isUnknown(refused)) failed = refused;
    }
  }
  figures ??= { weeks: [], days: 0 };
  draw();
}

function content() {
  if (failed?.reason === "offline") return offline(failed.message, load);
  if (failed) return trouble(failed.message);
  if (!figures) return h("p", { class: "quiet", role: "status" }, t("page.loading"));
  const { weeks, days } = figures;
  const choices = total(weeks.map((week) => week.choices));
  if (!choices.count)
    return nothing(
      t("study.page.figures_none"),
      t("study.page.figures_none_hint"),
      h("a", { class: "btn act", href: "/games" }, t("page.games")),
    );
  return h(
    "div",
    { class: "stack" },
    lost(weeks, choices),
    luck(weeks),
    kinds(weeks, choices),
    company(weeks),
    h("p", { class: "quiet foot" }, t("study.page.figures_what", { count: Math.round(days) })),
  );
}

/** @param {Sum[]} sums @returns {Sum} */
const total = (sums) => ({
  count: sums.reduce((sum, { count }) => sum + count, 0),
  points: sums.reduce((sum, one) => sum + one.points, 0),
});

/** What a choice costs on average, and between what, from sums and sums of squares. @param {Week[]} weeks */
function average(weeks) {
  const { count, points } = total(weeks.map((week) => week.choices));
  const value = points / Math.max(1, count);
  const squares = weeks.reduce((sum, week) => sum + week.squares, 0);
  const { low, high } = meanOf(count, points, squares) ?? { low: 0, high: 2 * value };
  return { count, value, low: Math.max(0, low), high };
}

/** Weeks of one name are those of several companies. @param {Week[]} weeks */
const byWeek = (weeks) =>
  [...new Set(weeks.map(({ week }) => week))].map((name) => weeks.filter(({ week }) => week === name));

/** @param {Week[]} weeks @param {Sum} choices */
function lost(weeks, choices) {
  const { value, low, high } = average(weeks);
  const steps = byWeek(weeks).map((one) => ({ name: weekName(one[0].week), ...average(one) }));
  const sure = steps.filter(({ count }) => count >= ENOUGH);
  const width = Math.min(608, Math.max(256, viewport.wide - 64));
  return h(
    "section",
    { class: "box lost" },
    h("h2", null, t("study.page.figures_lost")),
    h(
      "p",
      { class: "figure" },
      h("b", null, points(value, 2)),
      h("span", { class: "quiet" }, t("study.page.between", { low: points(low, 2), high: points(high, 2) })),
    ),
    h("p", { class: "quiet" }, t("study.page.choices", { count: choices.count }), " ", t("study.page.figures_lower")),
    sure.length > 1
      ? trend(t("study.page.figures_time"), sure, width, CHART)
      : h("p", { class: "quiet" }, t("study.page.figures_week")),
  );
}

/** The first day of a week. @param {string} week such as 2026-W47 */
function weekName(week) {
  const [year, number] = week.split("-W").map(Number);
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = new Date(fourth.getTime() + 86_400_000 * (7 * (number - 1) - ((fourth.getUTCDay() + 6) % 7)));
  return new Intl.DateTimeFormat(language(), { day: "numeric", month: "short", timeZone: "UTC" }).format(monday);
}

/** Luck and skill apart, for a deal. @param {Week[]} weeks */
function luck(weeks) {
  const deals = total(weeks.map((week) => week.deals));
  const each = (/** @type {"dealt" | "own" | "others"} */ part) =>
    weeks.reduce((sum, week) => sum + week[part], 0) / Math.max(1, deals.count);
  const parts = { dealt: each("dealt"), own: each("own"), others: each("others") };
  return h(
    "section",
    { class: "box" },
    h("h2", null, t("study.page.figures_luck")),
    balance({ ...parts, result: parts.dealt + parts.own + parts.others }, t("study.ledger.own")),
    h("p", { class: "quiet" }, t("page.end_deals", { count: deals.count }), ". ", t("study.page.parts_what")),
  );
}

/** Errors by their grade, and by what they were about. @param {Week[]} weeks @param {Sum} choices */
function kinds(weeks, choices) {
  const deals = total(weeks.map((week) => week.deals)).count;
  const grades = ERRORS.map((grade) => ({
    name: capital(t(`study.grade.${grade}`)),
    ...total(weeks.flatMap((week) => week.grades[grade] ?? [])),
  }));
  const names = [...new Set(weeks.flatMap((week) => Object.keys(week.reasons)))];
  const reasons = names
    .map((kind) => ({ name: kindName(kind), ...total(weeks.flatMap((week) => week.reasons[kind] ?? [])) }))
    .sort((one, other) => other.points - one.points);
  return h(
    "section",
    { class: "box" },
    h("h2", null, t("study.page.figures_kinds")),
    table(grades, choices.count, deals),
    reasons.length > 0 && [h("h3", null, t("study.page.figures_reasons")), table(reasons, choices.count, deals)],
  );
}

/** @param {string} kind */
const kindName = (kind) => (has(`study.page.kind.${kind}`) ? t(`study.page.kind.${kind}`) : kind);

/** @param {(Sum & { name: string })[]} rows @param {number} choices @param {number} deals */
function table(rows, choices, deals) {
  const most = Math.max(1e-9, ...rows.map((row) => row.points));
  return h(
    "table",
    { class: "sums" },
    h("colgroup", null, h("col", { class: "what" }), h("col", { class: "often" }), h("col"), h("col", { class: "n" })),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, h("span", { class: "vh" }, t("study.page.figures_kinds"))),
        h("th", { scope: "col", colspan: 2 }, t("study.page.figures_often")),
        h("th", { scope: "col", class: "n" }, t("study.page.figures_per_deal")),
      ),
    ),
    h(
      "tbody",
      null,
      rows.map(({ name, count, points: lost }) =>
        h(
          "tr",
          { key: name },
          h("th", { scope: "row" }, name),
          h("td", { class: "quiet" }, percent(count / choices)),
          h("td", { class: "bar-of", "aria-hidden": "true" }, h("i", { style: { width: `${(100 * lost) / most}%` } })),
          h("td", { class: "n" }, h("b", null, change(-lost / Math.max(1, deals)))),
        ),
      ),
    ),
  );
}

/** By the level of those one played against. @param {Week[]} weeks */
function company(weeks) {
  const found = [...levels(), PEOPLE].filter((name) => weeks.some((week) => week.company === name));
  return h(
    "section",
    { class: "box" },
    h("h2", null, t("study.page.figures_company")),
    h(
      "ul",
      { class: "companies" },
      found.map((name) => {
        const own = weeks.filter((week) => week.company === name);
        const { value, low, high } = average(own);
        const deals = total(own.map((week) => week.deals));
        return h(
          "li",
          { key: name },
          h("span", { class: "face" }, name === PEOPLE ? face("own-round orange") : stone(levelStone(name), "grey")),
          h(
            "span",
            null,
            h("b", { class: "name" }, name === PEOPLE ? t("study.page.figures_people") : botName(name)),
            h(
              "span",
              { class: "quiet" },
              t("page.end_deals", { count: deals.count }),
              ", ",
              t("study.page.figures_each", { points: change(deals.points / Math.max(1, deals.count)) }),
            ),
          ),
          h(
            "span",
            { class: "n", title: t("study.page.between", { low: points(low, 2), high: points(high, 2) }) },
            h("b", null, points(value, 2)),
            h("small", { class: "quiet" }, t("study.page.figures_a_choice")),
          ),
        );
      }),
    ),
  );
}
