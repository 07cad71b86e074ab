// A finished game, step by step, with all hands open, for anyone who has the link.

import { href, linkTo, query } from "../base/address.js";
import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { draw, part } from "../base/router.js";
import { stored } from "../base/storage.js";
import { isolatedNames, rich, t } from "../base/texts.js";
import { isSite } from "../base/transport.js";
import { dealOf, mySeat, nameOf, seatOf } from "../table/game.js";
import { gain, outcome, sayBar, storyLine, why } from "../table/narrator.js";
import { ledger, panel } from "../table/piles.js";
import { trickRow } from "../table/trick.js";
import { rowsOf, slotsOf } from "../table/view_model.js";
import { learnOffer, offer } from "../ui/bots.js";
import { linkButton } from "../ui/clipboard.js";
import { nothing } from "../ui/empty_states.js";
import { frame, homeLink } from "../ui/frame.js";
import { chip, iconButton, loadArt, segments } from "../ui/pieces.js";
import { Film } from "./film.js";
import { left, strip } from "./open_hands.js";
import { decisive } from "./turning_points.js";
import { verdicts, verifyButton } from "./verify_shuffles.js";

/**
 * @typedef {import("../table/game.js").Game} Game
 * @typedef {import("../table/game.js").Deal} Deal
 * @typedef {import("../table/game.js").Trick} Trick
 * @typedef {import("./film.js").Chapter} Chapter
 * @typedef {import("../base/dom.js").Inner} Inner
 */

const A_CARD = 1100;
const A_TRICK = 2600;
const SPEEDS = /** @type {[string, string][]} */ ([
  ["0.5", "½"],
  ["1", "1"],
  ["2", "2"],
  ["4", "4"],
]);

const eyed = part(
  async () => (await import("../study/eyes.js")).Eyes,
  ["ui/marks.css", "study/reasons.css", "study/study.css"],
);
/** @type {import("../study/eyes.js").Eyes | null} through whose eyes one looks */
let eyes = null;
let table = "";
/** @type {Film | null} */
let film = null;
let trouble = "";
let stop = 0;
let speed = "1";
let playing = false;
let timer = 0;
let noting = 0;

/** @param {string} id */
async function open(id) {
  table = id;
  film = eyes = null;
  trouble = "";
  pause();
  void learnOffer();
  addEventListener("keydown", key);
  try {
    const replay = await ask("GET /api/tables/{table}/replay", { table: id });
    if (table !== id) return;
    await loadArt(replay.welcome.highest);
    film = new Film({ ...replay, names: isolatedNames(replay.names) }, stored.person ?? null);
    stop = within(wantedStop(film));
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    trouble = refused.message;
  }
  draw();
}

/** Which stop the address wants: `step`, or a deal, or a trick of it. @param {Film} film */
function wantedStop(film) {
  const wanted = query();
  const [deal, trick] = ["deal", "trick"].map((name) => Number(wanted.get(name)));
  if (deal) return (trick ? film.endOf(deal, trick) : film.startOf(deal)) ?? 0;
  const step = Number(wanted.get("step"));
  return Number.isInteger(step) ? step : 0;
}

/** The path of what is shown. */
function address() {
  const shown = new URLSearchParams();
  if (stop) shown.set("step", String(stop));
  if (typeof eyes?.seat === "number") shown.set("eyes", String(eyes.seat));
  return `/replay/${table}${shown.size ? `?${shown}` : ""}`;
}

/** Looks through these eyes, or at all hands. @param {number | null} seat */
function look(seat) {
  eyes?.open(seat);
  goTo(stop);
}

/** What shows through whose eyes, once that has been fetched. @param {Game} game @param {Deal} deal */
function sight(game, deal) {
  const Kind = offer.study ? eyed() : null;
  if (!Kind) return null;
  if (!eyes) {
    eyes = new Kind(table, /** @type {Film} */ (film));
    eyes.open(seatOf(query().get("eyes"), game));
  }
  return eyes.view(game, deal, (seat) => nameOf(game, seat, t), mySeat(game), look);
}

/** @param {number} wanted */
const within = (wanted) => Math.max(0, Math.min((film?.stops.length ?? 1) - 1, wanted));

/** @param {number} wanted */
function goTo(wanted) {
  stop = within(wanted);
  clearTimeout(noting); // browsers refuse to change the address too often
  noting = setTimeout(() => history.replaceState({}, "", href(address())), 500);
  draw();
}

/** By hand, which ends the film. @param {number} wanted */
function turnTo(wanted) {
  pause();
  goTo(wanted);
}

function pause() {
  clearTimeout(timer);
  playing = false;
}

function toggle() {
  if (!film) return;
  if (playing) pause();
  else {
    if (stop === film.stops.length - 1) goTo(film.chapterAt(stop).first);
    playing = true;
    wait();
  }
  draw();
}

/** The next card comes soon; a finished trick stays longer. */
function wait() {
  clearTimeout(timer);
  const taken = film?.chapterAt(stop).tricks.includes(stop);
  timer = setTimeout(
    () => {
      if (!film || stop === film.stops.length - 1) pause();
      else {
        goTo(stop + 1);
        wait();
      }
      draw();
    },
    (taken ? A_TRICK : A_CARD) / Number(speed),
  );
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (!film?.chapters.length || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "text")) return;
  if (event.key === " " && target instanceof Element && target.closest("button, a")) return;
  const chapter = film.chapterAt(stop);
  const acts = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => turnTo(stop - 1),
    ArrowRight: () => turnTo(stop + 1),
    PageUp: () => turnTo(before(chapter)),
    PageDown: () => turnTo(after(chapter)),
    Home: () => turnTo(chapter.first),
    End: () => turnTo(chapter.last),
    " ": toggle,
  });
  if (!(event.key in acts)) return;
  event.preventDefault();
  acts[event.key]();
}

/** The end of the trick before this one. @param {Chapter} chapter */
const before = (chapter) => chapter.tricks.findLast((end) => end < stop) ?? chapter.first;
/** The end of this trick or of the next. @param {Chapter} chapter */
const after = (chapter) => chapter.tricks.find((end) => end > stop) ?? chapter.last;

/** @returns {Inner} */
function view() {
  if (trouble)
    return frame(
      t("page.replay"),
      nothing(t("page.replay_none"), trouble, h("a", { class: "btn act", href: "/" }, t("page.home"))),
      { kind: "lost" },
    );
  if (!film)
    return h(
      "main",
      { class: "replay raked", "aria-busy": "true" },
      h("p", { class: "loading" }, t("page.replay_loading")),
    );
  if (!film.chapters.length)
    return frame(
      t("page.replay"),
      nothing(t("page.replay_none"), t("page.replay_not_yet"), h("a", { class: "btn act", href: "/" }, t("page.home"))),
      { kind: "lost" },
    );
  return scene(film, film.chapterAt(stop), film.at(stop));
}

/** @param {Film} film @param {Chapter} chapter @param {Game} game */
function scene(film, chapter, game) {
  const deal = /** @type {Deal} */ (dealOf(game));
  const name = (/** @type {number} */ seat) => nameOf(game, seat, t);
  const held = deal.table.length ? null : (deal.tricks.at(-1) ?? null);
  const shown = { game, held, landing: null, bare: false, pending: null, taken: true };
  const rows = rowsOf(shown, null, name, showHand, new Map()).map((row) => ({
    ...row,
    away: false,
    sign: null,
    note: t("page.cards", { count: left(deal, row.seat) }),
  }));
  const led = (held?.plays ?? deal.table)[0]?.card[0] ?? null;
  const seen = sight(game, deal);
  const hidden = (/** @type {number} */ seat) => typeof eyes?.seat === "number" && eyes.seat !== seat;
  return h(
    "main",
    {
      class: `replay raked p${game.chairs.length} ${eyes?.seat == null ? "" : "eyed"}`,
      style: { "--n": String(game.chairs.length) },
    },
    h(
      "header",
      { class: "bar" },
      homeLink(),
      h("h1", { class: "where" }, t("page.replay"), h("small", null, where(deal))),
      film.chapters.length > 1 && dealChoice(film, chapter),
    ),
    h(
      "div",
      { class: "board" },
      ledger(rows, led),
      h(
        "section",
        { class: "others", "aria-label": t("page.piles") },
        rows.map((row) => withHand(panel(row, game.highest, 6), strip(deal, row.seat, hidden(row.seat)))),
      ),
      trickRow(slotsOf(shown, null, name)),
      seen,
    ),
    h(
      "section",
      { class: "box hands", "aria-label": t("page.hands") },
      rows.map((row) =>
        h(
          "div",
          { key: row.seat, id: `hand-${row.seat}`, class: "held", tabindex: "-1" },
          h("h2", null, row.name),
          strip(deal, row.seat, hidden(row.seat)),
        ),
      ),
    ),
    h("div", { class: "deck" }, says(deal, held, name), controls(chapter, deal)),
    h(
      "aside",
      { class: "told", "aria-label": t("page.replay_story") },
      h("div", { class: "acts" }, !isSite && linkButton(t("page.share_here"), linkTo(address())), verifyButton(table)),
      verdicts(table, name),
      decisive(film.end, name, (deal, trick) => {
        const end = film.endOf(deal, trick) ?? 0;
        return { type: "button", "aria-current": stop === end ? "true" : null, on: { click: () => turnTo(end) } };
      }),
      h("section", { class: "box" }, h("h2", null, t("page.replay_story")), story(chapter, deal, name, mySeat(game))),
    ),
  );
}

/** A tap on a name brings its hand into view. @param {number} seat */
function showHand(seat) {
  document.getElementById(`hand-${seat}`)?.focus();
}

/** @param {Deal} deal */
function where(deal) {
  const trick = deal.tricks.length + (deal.table.length ? 1 : 0);
  return trick ? ` · ${t("page.trick_number", { number: trick })}` : "";
}

/** @param {Film} film @param {Chapter} now */
function dealChoice(film, now) {
  const choose = (/** @type {{ target: HTMLSelectElement }} */ { target }) =>
    turnTo(film.chapters[Number(target.value)].first);
  return h(
    "select",
    { "aria-label": t("page.deal_choice"), value: String(film.chapters.indexOf(now)), on: { change: choose } },
    film.chapters.map((chapter, place) =>
      h(
        "option",
        { value: place, selected: chapter === now },
        t(chapter.aborted ? "page.deal_number_aborted" : "page.deal_number", { deal: chapter.deal }),
      ),
    ),
  );
}

/**
 * A panel with the hand beneath its piles.
 * @param {import("../base/dom.js").VNode} panel
 * @param {import("../base/dom.js").VNode} hand
 */
const withHand = (panel, hand) => ({ ...panel, children: [...panel.children, hand] });

/**
 * What the narrator says of this stop.
 * @param {Deal} deal
 * @param {Trick | null} held
 * @param {(seat: number) => string} name
 */
function says(deal, held, name) {
  if (held)
    return sayBar(
      [h("span", { class: "head" }, why(held, name)), outcome(held, name, (seat) => gain(held, seat))],
      null,
      "taken",
    );
  const last = deal.table.at(-1);
  if (!last) return sayBar(t("page.replay_dealt", { name: name(deal.now.toPlay ?? 0) }), null, "dealt");
  return sayBar(
    rich(deal.table.length > 1 ? "page.replay_plays" : "page.replay_leads", {
      name: h("b", null, name(last.seat)),
      card: chip(last.card),
    }),
    null,
    "card",
  );
}

/** @param {Chapter} chapter @param {Deal} deal */
function controls(chapter, deal) {
  const done = deal.tricks.length;
  const slide = (/** @type {{ target: HTMLInputElement }} */ { target }) =>
    turnTo(Number(target.value) ? chapter.tricks[Number(target.value) - 1] : chapter.first);
  return h(
    "div",
    { class: "controls", role: "group", "aria-label": t("page.replay_controls") },
    h("input", {
      type: "range",
      class: "slide",
      min: 0,
      max: chapter.tricks.length,
      step: 1,
      value: String(done),
      style: {
        "--done": String(done / Math.max(1, chapter.tricks.length)),
        "--notches": String(Math.max(1, chapter.tricks.length)),
      },
      "aria-label": t("page.trick"),
      "aria-valuetext": done ? t("page.trick_number", { number: done }) : t("page.replay_start"),
      on: { input: slide },
    }),
    h(
      "div",
      { class: "keys" },
      iconButton("first", t("page.replay_first"), () => turnTo(chapter.first), { "data-act": "first" }),
      iconButton("back", t("page.replay_back"), () => turnTo(stop - 1), { "data-act": "back" }),
      iconButton(playing ? "pause" : "play", t(playing ? "page.pause" : "page.replay_play"), toggle, {
        class: "act",
        "data-act": "play",
      }),
      iconButton("step", t("page.replay_on"), () => turnTo(stop + 1), { "data-act": "on" }),
      iconButton("final", t("page.replay_last"), () => turnTo(chapter.last), { "data-act": "last" }),
    ),
    segments(t("page.replay_speed"), SPEEDS, speed, (wanted) => {
      speed = wanted;
      if (playing) wait();
      draw();
    }),
  );
}

/**
 * One sentence a trick, up to the end of the deal; the one that is shown is marked.
 * @param {Chapter} chapter
 * @param {Deal} now
 * @param {(seat: number) => string} name
 * @param {number | null} me
 */
function story(chapter, now, name, me) {
  const tricks = dealOf(/** @type {Film} */ (film).at(chapter.last))?.tricks ?? [];
  const current = now.tricks.length + (now.table.length ? 1 : 0) - 1;
  return h(
    "ol",
    { class: "log" },
    tricks.map((trick, place) =>
      h(
        "li",
        { key: `${chapter.first} ${place}`, class: place > current ? "later" : "" },
        h(
          "button",
          {
            type: "button",
            "aria-current": place === current ? "step" : null,
            on: { click: () => turnTo(chapter.tricks[place]) },
          },
          h("span", { class: "no" }, place + 1),
          h("span", null, storyLine(trick, name, me)),
        ),
      ),
    ),
  );
}

/** Where the story has a column of its own, it scrolls along. */
function followStory() {
  const line = document.querySelector(".told [aria-current=step]");
  const column = document.querySelector(".told");
  if (!line || !column || column.scrollHeight <= column.clientHeight) return;
  const [inner, outer] = [line.getBoundingClientRect(), column.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    column.scrollTop += inner.top - outer.top - outer.height / 2;
}

/** @type {import("../base/router.js").Page} */
export const page = {
  enter: open,
  leave: () => {
    pause();
    clearTimeout(noting);
    removeEventListener("keydown", key);
    eyes?.close();
    table = "";
  },
  view,
  title: () => t("page.replay"),
  drawn: followStory,
};
