// A match looked back at, by one seat: what decided it, the choices that cost most, the course of each deal. The first
// results show at once, and become surer while one reads.

import { linkTo, query } from "../base/address.js";
import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { stored } from "../base/storage.js";
import { isolatedNames, loadTexts, t } from "../base/texts.js";
import { isSite } from "../base/transport.js";
import { viewport } from "../base/viewport.js";
import { Film } from "../replay/film.js";
import { mySeat, nameOf, playsOf, seatOf } from "../table/game.js";
import { lookOf, titleOf } from "../table/looks.js";
import { learnOffer } from "../ui/bots.js";
import { linkButton } from "../ui/clipboard.js";
import { nothing, offline } from "../ui/empty_states.js";
import { toggle } from "../ui/forms.js";
import { frame } from "../ui/frame.js";
import { button, face, icon, loadArt, lookAlone, segments } from "../ui/pieces.js";
import { balance } from "./balance.js";
import { listed, MOST, told } from "./costly.js";
import { course } from "./course.js";
import { points } from "./numbers.js";
import { Practice } from "./practice.js";
import { nameForAll } from "./reasons.js";
import { strength } from "./strength.js";
import { errorsOf, ladderOf, lostOf, Study, sumOf } from "./study.js";

/**
 * @typedef {import("../table/game.js").Game} Game
 * @typedef {import("../base/dom.js").Inner} Inner
 * @typedef {import("./study.js").Seen} Seen
 * @typedef {import("./study.js").Costly} Costly
 */

const CHART = 220;
/** From here on there are two columns, in the style too. */
const WIDE = 860;
const LOST = { kind: "lost" };

let table = "";
let seat = 0;
/** @type {Film | null} */
let film = null;
/** @type {Study | null} */
let study = null;
/** @type {Practice | null} */
let practice = null;
/** @type {Refused | null} why there is nothing to see */
let failed = null;
let deal = 1;

/** @param {string} id */
async function open(id) {
  table = id;
  film = practice = failed = null;
  void learnOffer();
  addEventListener("resize", draw);
  try {
    const [replay] = await Promise.all([ask("GET /api/tables/{table}/replay", { table: id }), loadTexts("study.")]);
    if (table !== id) return;
    await loadArt(replay.welcome.highest);
    film = new Film({ ...replay, names: isolatedNames(replay.names) }, stored.person ?? null);
    if (!film.deals.length) failed = new Refused("trouble", t("page.replay_not_yet"));
    seat = seatOf(query().get("seat"), film.end) ?? mySeat(film.end) ?? 0;
    deal = film.deals[0] ?? 1;
    study = new Study(id, seat, film.deals, draw);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    failed = refused;
  }
  draw();
}

/** Whether the match has several deals. */
const several = () => (film?.deals.length ?? 0) > 1;

/** @param {Costly} costly */
const wayTo = ({ seen, choice }) => ({
  href: `/replay/${table}?step=${film?.before(seen.deal, choice.played)}&eyes=${seen.seat}`,
});

function view() {
  if (failed?.reason === "offline")
    return frame(
      t("page.review"),
      offline(failed.message, () => open(table)),
      LOST,
    );
  if (failed) return none(failed.message);
  if (!film || !study) return coming();
  if (!study.seen.length && study.isDone) return none(t("study.page.not_asked"));
  if (!study.seen.length && study.failed && !study.open.length) return none(study.failed.message);
  if (practice) return practice.view();
  const game = film.end;
  const mine = seat === mySeat(game);
  const name = mine ? (/** @type {number} */ one) => nameOf(game, one, t) : nameForAll(game);
  const { seen } = study;
  const errors = errorsOf(seen);
  const more = [others(game), mine && sharing(study)];
  const wide = viewport.wide >= WIDE;
  return h(
    "div",
    { class: "page review raked", key: "review", style: { "--rx": "84%", "--ry": "120px" } },
    h(
      "div",
      { class: "in" },
      h("header", { class: "top" }, tableLink(), h("p", { class: "grow quiet" }, t("page.review"))),
      h(
        "main",
        null,
        hero(game, errors, mine),
        progress(study),
        seen.length > 0 && [
          h(
            "div",
            { class: "grid" },
            costliest(errors, name, mine),
            h("div", { class: "stack" }, parts(seen, mine, name), beside(seen), wide && more),
          ),
          deals(game, seen),
          !wide && h("div", { class: "stack", key: "more" }, more),
        ],
      ),
    ),
  );
}

/** @param {string} why */
const none = (why) =>
  frame(
    t("page.review"),
    nothing(t("page.review_none"), why, h("a", { class: "btn act", href: "/" }, t("page.home"))),
    LOST,
  );

/** The way back to the table. */
const tableLink = () =>
  h(
    "a",
    { class: "icon", href: `/t/${table}`, "aria-label": t("page.to_table"), title: t("page.to_table") },
    icon("back"),
  );

const coming = () =>
  h("main", { class: "page review raked", "aria-busy": "true" }, h("p", { class: "loading" }, t("page.loading")));

/** One clear message, and what it rests on. @param {Game} game @param {Costly[]} errors @param {boolean} mine */
function hero(game, errors, mine) {
  const seen = study?.seen ?? [];
  const choices = seen.reduce((sum, one) => sum + one.choices.length, 0);
  const given = errors.reduce((sum, { choice }) => sum + choice.loss, 0);
  const errs = errors.length
    ? t("study.page.errors", { count: errors.length, points: points(given, 0) })
    : t("study.page.errors_none");
  const facts = choices ? [t("study.page.choices", { count: choices }), " ", errs] : "";
  return h(
    "div",
    { class: "hero" },
    h(
      "div",
      null,
      h("h1", null, mine ? headline(game, choices, given) : titleOf(game, seat)),
      h("p", { class: "tag1" }, facts),
    ),
    h("div", { class: "whose", "aria-hidden": "true" }, lookAlone(lookOf(game, seat))),
  );
}

/**
 * What is to be said first to somebody who has won or lost: was there more in it?
 * @param {Game} game @param {number} choices @param {number} given  points, by errors
 */
function headline(game, choices, given) {
  if (!choices || game.phase !== "over") return t("study.page.title");
  const best = Math.max(...game.totals);
  const behind = best - game.totals[seat];
  if (!given) return t(behind ? "study.page.lost_clean" : "study.page.won_clean");
  if (!behind) return t("study.page.won");
  return t(given >= behind ? "study.page.within_reach" : "study.page.out_of_reach");
}

/** How far it is, until it is done; and why it doesn’t go on. @param {Study} study */
function progress(study) {
  const { share, isDone, seen, failed } = study;
  const says = failed?.message ?? (isDone ? "" : t(seen.length ? "study.page.surer" : "study.page.looking"));
  return h(
    "div",
    { class: `progress ${says ? "" : "done"}`, key: "progress" },
    !isDone && h("progress", { max: 1, value: share, "aria-label": t("study.page.progress") }),
    says && h("p", { class: failed ? "" : "quiet", role: "status" }, says),
  );
}

/** @param {Costly[]} errors @param {(seat: number) => string} name @param {boolean} mine */
function costliest(errors, name, mine) {
  if (!errors.length)
    return h(
      "section",
      { class: "box" },
      h("h2", null, t("study.page.costly_none")),
      h("p", { class: "quiet" }, t("study.page.costly_none_what")),
    );
  const most = errors.toSorted((one, other) => other.choice.loss - one.choice.loss);
  return h(
    "section",
    { class: "box" },
    h("h2", null, t("study.page.costly")),
    h(
      "ol",
      { class: "costliest" },
      most.slice(0, MOST).map((costly) => told(costly, several(), name, mine, wayTo)),
    ),
    !mine && h("p", { class: "quiet" }, t("study.page.you_is", { name: name(seat) })),
    mine &&
      button([icon("undo"), t("study.page.try")], () => tryAgain(errors), {
        class: "act big",
        "data-act": "try",
      }),
  );
}

/** @param {Costly[]} errors */
function tryAgain(errors) {
  if (!film) return;
  history.pushState({ practice: true }, "");
  practice = new Practice(film, errors, wayTo, () => history.back());
  scrollTo(0, 0);
  draw();
}

/** @param {Seen[]} seen @param {boolean} mine @param {(seat: number) => string} name */
function parts(seen, mine, name) {
  const sum = sumOf(seen);
  if (!sum) return null;
  return h(
    "section",
    { class: "box" },
    h("h2", null, t("study.page.parts")),
    balance(sum, mine ? t("study.ledger.own") : t("study.page.own_of", { name: name(seat) })),
    h(
      "details",
      null,
      h("summary", null, t("study.page.parts_how")),
      h("p", { class: "quiet" }, t("study.page.parts_what")),
    ),
  );
}

/** @param {Seen[]} seen */
function beside(seen) {
  const lost = lostOf(seen);
  const shown = lost && strength(lost, study ? ladderOf(study) : {});
  return shown && h("section", { class: "box strength" }, h("h2", null, t("study.page.strength")), shown);
}

/** The deals one by one. @param {Game} game @param {Seen[]} seen */
function deals(game, seen) {
  const one = seen.find((each) => each.deal === deal) ?? seen[0];
  const errors = errorsOf([one]);
  const dealt = game.deals.find((each) => each.deal === one.deal && !each.aborted);
  const plays = dealt ? playsOf(dealt) : [];
  const own = new Set(plays.flatMap((play, place) => (play.seat === seat ? [place + 1] : [])));
  const marks = new Map(
    errors.map(({ choice }, place) => [plays.findIndex(({ card }) => card === choice.played) + 1, String(place + 1)]),
  );
  const width = Math.min(1048, Math.max(280, viewport.wide - 64));
  return h(
    "section",
    { class: "box course-of", key: "deals" },
    h(
      "header",
      null,
      h("h2", null, t("study.page.course")),
      seen.length > 1 &&
        segments(
          t("page.deal_choice"),
          seen.map((each) => [String(each.deal), each.deal]),
          String(one.deal),
          (wanted) => {
            deal = Number(wanted);
            draw();
          },
        ),
    ),
    one.ledger && [
      course(one.ledger.steps, game.chairs.length, own, marks, width, CHART),
      h("p", { class: "quiet key" }, t("study.page.course_what")),
    ],
    errors.length > 0
      ? listed(errors, false, wayTo)
      : h("p", { class: "quiet" }, t("study.page.deal_clean", { deal: one.deal })),
    h(
      "div",
      { class: "acts" },
      h(
        "a",
        { class: "btn", href: `/replay/${table}?deal=${one.deal}&eyes=${seat}` },
        icon("play"),
        t("study.page.replay"),
      ),
    ),
  );
}

/** The way to what others did, as far as one may see it: the bots, and who shares it. @param {Game} game */
function others(game) {
  const seats = new Set(study?.list?.reviews.map((one) => one.seat).filter((one) => one !== seat));
  if (!seats.size) return null;
  return h(
    "nav",
    { class: "box others-of", key: "others", "aria-labelledby": "others-of" },
    h("h2", { id: "others-of" }, t("study.page.others")),
    h(
      "ul",
      null,
      [...seats].map((one) =>
        h(
          "li",
          { key: one },
          h("a", { class: "btn", href: `/review/${table}?seat=${one}` }, face(lookOf(game, one)), nameOf(game, one, t)),
        ),
      ),
    ),
  );
}

/** Whether others may see it. @param {Study} study */
function sharing(study) {
  const { list } = study;
  if (!list || isSite) return null;
  const address = linkTo(`/review/${table}?seat=${seat}`);
  return h(
    "section",
    { class: "box stack share", key: "share" },
    toggle(t("study.page.share"), t("study.page.share_hint"), list.is_shared, (wish) => study.letOthersSee(wish)),
    list.is_shared && linkButton(t("page.share"), address),
  );
}

/** @type {import("../base/router.js").Page} */
export const page = {
  enter: open,
  leave: () => {
    removeEventListener("resize", draw);
    study?.stop();
    study = practice = null;
    table = "";
  },
  back: () => {
    practice = null;
    draw();
  },
  view,
  title: () => t("page.review"),
  drawn: () => practice?.drawn(),
};
