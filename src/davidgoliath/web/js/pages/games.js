// The tables where this person has been: those that go on, those that are over, and those that only this browser keeps.

import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { otherGames } from "../base/friends_way.js";
import { dropAllKept, dropKept, keepFinished, keptMatches, MOST_KEPT } from "../base/kept.js";
import { isUnknown } from "../base/person.js";
import { draw } from "../base/router.js";
import { keep, stored } from "../base/storage.js";
import { language, t } from "../base/texts.js";
import { isSite } from "../base/transport.js";
import { botOf, stoneName } from "../table/game.js";
import { botLook, ownLook } from "../table/looks.js";
import { botTitle, learnOffer, offer } from "../ui/bots.js";
import { download } from "../ui/download.js";
import { nothing, offline } from "../ui/empty_states.js";
import { toggle, trouble } from "../ui/forms.js";
import { frame } from "../ui/frame.js";
import { noteWin } from "../ui/ladder.js";
import { button, face, icon } from "../ui/pieces.js";

/**
 * @typedef {import("../base/protocol").Game} Game
 * @typedef {import("../base/protocol").MyTable} Entry
 * @typedef {import("../base/kept.js").Kept} Kept
 */

const MINUTE = 60;
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", MINUTE],
];

/** @type {Entry[] | null} */
let entries = null;
/** @type {Kept[]} */
let kept = [];
/** Whether the question is open if all that is kept should go. */
let asksToDrop = false;
/** @type {Refused | null} */
let failed = null;

/** @type {import("../base/router.js").Page} */
export const page = {
  enter() {
    void learnOffer();
    return load();
  },
  title: () => t("page.games"),
  view: () => frame(t("page.games"), content(), { kind: "games" }),
};

async function load() {
  failed = null;
  asksToDrop = false;
  kept = await keptMatches();
  if (!stored.token) entries = [];
  else {
    try {
      entries = (await ask("GET /api/me")).tables;
      for (const { game } of entries) if (game && isWon(game) && game.counts) noteWin(opponents(game));
      void keepAll(entries);
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      if (isUnknown(refused)) entries = [];
      else failed = refused;
    }
  }
  draw();
}

/** @param {Entry[]} entries */
async function keepAll(entries) {
  await keepFinished(entries).catch(() => {}); // where the browser can't, nothing is said to be kept
  kept = await keptMatches();
  draw();
}

/** @param {string} table */
async function drop(table) {
  await dropKept(table);
  kept = await keptMatches();
  draw();
}

async function dropAll() {
  await dropAllKept();
  await load();
}

function content() {
  const gone = kept.filter(({ table }) => failed || !entries?.some((entry) => entry.table === table));
  const ours = [!isSite && keeping(), gone.length > 0 && shelf(t("page.games_kept"), gone.map(keptOne)), elsewhere()];
  if (failed?.reason === "offline") return [offline(failed.message, load), ours];
  if (failed) return [trouble(failed.message), ours];
  if (!entries) return h("p", { class: "quiet", role: "status" }, t("page.loading"));
  if (!entries.length && !kept.length)
    return [
      nothing(
        t("page.games_none"),
        t("page.games_none_hint"),
        h("a", { class: "btn act", href: "/" }, t("page.home_play")),
      ),
      elsewhere(),
    ];
  const over = entries.filter(isOver);
  const open = entries.filter((entry) => !isOver(entry));
  return [
    offer.study && figures(),
    shelf(t("page.games_open"), open.map(one)),
    shelf(t("page.games_over"), over.map(one)),
    ours,
  ];
}

/** Where other games are: a site and a server know nothing of each other's. */
function elsewhere() {
  const found = otherGames(offer.site);
  return (
    found &&
    h(
      "section",
      { class: "box stack", key: "elsewhere" },
      h("p", null, found.told),
      h("p", { class: "acts" }, h("a", { class: "btn", href: found.href }, found.open)),
    )
  );
}
/** The way to what all of them come to. */
const figures = () =>
  h(
    "a",
    { class: "way wide", key: "figures", href: "/figures" },
    h("span", null, h("b", null, t("page.figures")), h("span", null, t("page.figures_hint"))),
  );

/** What is kept here, and how to have it elsewhere or not at all. */
function keeping() {
  const change = (/** @type {boolean} */ wish) => {
    stored.keepsMatches = wish;
    keep();
    if (entries) void keepAll(entries);
    draw();
  };
  return h(
    "section",
    { class: "box keeping", key: "keeping" },
    toggle(
      t("page.keep_matches"),
      t("page.keep_matches_hint", { count: MOST_KEPT }),
      Boolean(stored.keepsMatches),
      change,
    ),
    kept.length > 0 &&
      h(
        "div",
        { class: "acts" },
        button(
          [icon("download"), t("page.kept_export", { count: kept.length })],
          () => download("davidgoliath.dgn", kept.map(({ record }) => record).join("\n")),
          { key: "export" },
        ),
        asksToDrop
          ? [
              button(t("page.no"), () => askToDrop(false), { key: "no" }),
              button(t("page.kept_drop_sure"), dropAll, { key: "sure", class: "act" }),
            ]
          : button(t("page.kept_drop"), () => askToDrop(true), { key: "drop" }),
      ),
  );
}

/** @param {boolean} wish */
function askToDrop(wish) {
  asksToDrop = wish;
  draw();
}

/** @param {Entry} entry */
const isOver = ({ stage, game }) => stage === "over" || game?.phase === "over";

/** @param {Game} game */
const isWon = ({ phase, unfinished, seat, places }) =>
  phase === "over" && !unfinished && seat !== null && places[seat] === 1;

/** The bots at the other seats; null where somebody else sits. @param {Game} game */
const opponents = ({ players, seat }) => players.filter((_, other) => other !== seat).map(botOf);

/** How a match ended for its player. @param {Game} game */
function result(game) {
  const { seat, places, players, unfinished } = game;
  if (unfinished) return h("span", { class: "quiet" }, t("page.broken_off"));
  if (seat === null) return h("span", { class: "quiet" }, t("page.phase.over"));
  const isShared = places.filter((place) => place === 1).length > 1;
  if (isWon(game)) return h("span", { class: "badge won" }, t(isShared ? "page.won_shared" : "page.won"));
  return h("span", { class: "quiet" }, t("page.place", { place: places[seat], count: players.length }));
}

/** @param {string} headline @param {import("../base/dom.js").VNode[]} shown */
const shelf = (headline, shown) =>
  shown.length > 0 &&
  h("section", { class: "shelf", key: headline }, h("h2", null, headline), h("ul", { class: "stack" }, shown));

/** @param {Entry} entry */
function one(entry) {
  const { table, link, game } = entry;
  const hasDeals = game && [...game.totals, ...(game.unfinished ?? [])].some((points) => points > 0);
  return card(
    entry,
    game?.phase === "over"
      ? result(game)
      : game &&
          h(
            "span",
            { class: game.turn ? "badge" : "quiet" },
            game.turn ? t("page.your_turn_short") : t(`page.phase.${game.phase}`),
          ),
    !isOver(entry) && h("a", { class: "btn act", href: link }, t("page.return")),
    hasDeals && h("a", { class: "btn", href: `/replay/${table}` }, t("page.replay")),
    hasDeals &&
      offer.study &&
      game?.phase === "over" &&
      game.seat !== null &&
      h("a", { class: "btn", href: `/review/${table}` }, t("page.review")),
    hasDeals && game?.phase === "over" && h("a", { class: "btn", href: link }, t("page.result")),
    kept.some((match) => match.table === table) && h("span", { class: "quiet" }, icon("check"), t("page.kept")),
  );
}

/** @param {Kept} match */
const keptOne = (match) =>
  card(
    match,
    result(match.game),
    button([icon("download"), t("page.record")], () => download(`${match.table}.dgn`, match.record), { key: "record" }),
    button(t("page.kept_drop_one"), () => drop(match.table)),
  );

/**
 * A match: when, how it stands, who plays, and what one can do.
 * @param {{ table: string, active: number, game?: Game | null }} match
 * @param {import("../base/dom.js").Inner} stand
 * @param {...import("../base/dom.js").Inner} acts
 */
function card({ table, active, game }, stand, ...acts) {
  return h(
    "li",
    { key: table, class: "box game" },
    h(
      "p",
      { class: "when" },
      h(
        "time",
        { datetime: new Date(active * 1000).toISOString(), title: new Date(active * 1000).toLocaleString(language()) },
        ago(active),
      ),
      stand,
    ),
    game &&
      h(
        "ul",
        { class: "who" },
        inOrder(game).map((seat) => person(game, game.players[seat], seat)),
      ),
    h("p", { class: "acts" }, acts),
  );
}

/** Seats, of a match that is over by their places. @param {Game} game */
function inOrder({ players, places, phase }) {
  const seats = players.map((_, seat) => seat);
  return phase === "over" ? seats.sort((one, other) => places[one] - places[other]) : seats;
}

/** @param {Game} game @param {string | null} player @param {number} seat */
function person(game, player, seat) {
  const bot = botOf(player);
  const name =
    seat === game.seat ? t("page.you") : !player ? t("page.open_seat") : bot ? botTitle(stoneName(seat), bot) : player;
  const kind = seat === game.seat ? "me" : player ? "" : "quiet";
  const stone = game.stones?.[seat]; // records of earlier builds have none
  const look = bot ? botLook(bot, seat) : stone ? ownLook(stone) : seat;
  return h(
    "li",
    { class: kind },
    player ? face(look) : h("span", { class: "face" }),
    h("span", { class: "name" }, name),
    game.phase !== "gathering" && h("b", null, game.totals[seat] + (game.unfinished?.[seat] ?? 0)),
  );
}

/** When something happened, as people say it. @param {number} seconds since 1970 */
function ago(seconds) {
  const passed = Date.now() / 1000 - seconds;
  const words = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const [unit, length] = UNITS.find(([, length]) => passed >= length) ?? ["minute", MINUTE];
  return words.format(-Math.floor(passed / length), unit);
}
