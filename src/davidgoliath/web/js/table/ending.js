// What comes after the cards: the dialog between two deals, and the page at the end of a match.

import { linkTo } from "../base/address.js";
import { recordOf } from "../base/api.js";
import { COLOURS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { stored, stretch } from "../base/storage.js";
import { language, t } from "../base/texts.js";
import { isSite } from "../base/transport.js";
import { decisive } from "../replay/turning_points.js";
import { verdicts, verifyButton } from "../replay/verify_shuffles.js";
import { botName, levels, offer, stoneOf } from "../ui/bots.js";
import { chart } from "../ui/chart.js";
import { linkButton } from "../ui/clipboard.js";
import { download } from "../ui/download.js";
import { asleep } from "../ui/empty_states.js";
import { noteWin } from "../ui/ladder.js";
import { button, face, icon, iconButton, stone } from "../ui/pieces.js";
import { amHost, botOf, dealOf, isPerson, isSolo, myChair, mySeat, nameOf, scoreOf } from "./game.js";
import { lookOf, titleOf } from "./looks.js";
import { gain, signed } from "./narrator.js";
import { soundOffer } from "./sound_offer.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Deal} Deal
 * @typedef {import("../base/dom.js").Inner} Inner
 */

const LOWEST_CHART = 250;

/** The deals that count. @param {Game} game */
const finished = (game) => game.deals.filter((deal) => !deal.aborted && deal.now.toPlay === null);

/** Seats with their places, the best first; who is equal shares one. @param {number[]} points */
function ranked(points) {
  const place = (/** @type {number} */ own) => 1 + points.filter((other) => other > own).length;
  return points
    .map((own, seat) => ({ seat, points: own, place: place(own) }))
    .sort((one, other) => one.place - other.place);
}

/** @param {Game} game @param {number} seat */
const called = (game, seat) => nameOf(game, seat, t);

/** @type {string | null} the level whose stone on the ladder the match has lit */
let lit = null;

/** What this browser keeps of a match when its end is shown. @param {Game} game */
function note(game) {
  const me = mySeat(game);
  if (me === null) return;
  const isWon = !game.ended && game.places[me] === 1;
  const others = game.chairs.filter((_, seat) => seat !== me).map((chair) => botOf(chair.player));
  lit = isWon && game.counts ? noteWin(others) : null;
  if (lit) draw();
  // if it fails, My games tries again
  if (stored.keepsMatches) import("../base/kept.js").then(({ keepLatest }) => keepLatest()).catch(() => {});
}

/**
 * The end of a match.
 * @param {Game} game
 * @param {{ rematch: () => void, home: () => void, replay: () => void, piles?: () => void }} acts
 */
export function ending(game, acts) {
  const deals = finished(game);
  const rows = ranked(game.totals);
  return h(
    "div",
    {
      class: `page end raked ${deals.length ? "" : "bare"}`,
      key: "end",
      style: deals.length ? { "--rx": "82%", "--ry": "150px" } : { "--rx": "50%", "--ry": "44%" },
      made: () => note(game),
    },
    h(
      "div",
      { class: "in" },
      h("header", { class: "top" }, iconButton("back", t("page.home"), acts.home), h("span", { class: "grow" })),
      h(
        "main",
        null,
        headline(game, deals, rows, rematch(game, acts.rematch)),
        lit &&
          h(
            "p",
            { class: "box lit" },
            stone(stoneOf(levels().indexOf(lit)), "Y"),
            t("page.ladder_now", { name: botName(lit) }),
          ),
        deals.length > 0 && soundOffer(),
        deals.length > 0 && h("div", { class: "grid" }, standings(game, deals, rows), totals(game, deals)),
        decisive(
          game,
          (seat) => called(game, seat),
          (deal, trick) => ({ href: `/replay/${game.table}?deal=${deal}&trick=${trick}` }),
        ),
        deals.length > 0 && h("div", { class: "acts" }, more(game, acts)),
        verdicts(game.table, (seat) => called(game, seat)),
      ),
    ),
  );
}

/** @param {Game} game @param {Deal[]} deals @param {ReturnType<typeof ranked>} rows @param {Inner} next */
function headline(game, deals, rows, next) {
  const winners = deals.length && !game.ended ? game.places.flatMap((place, seat) => (place === 1 ? [seat] : [])) : [];
  const second = rows[winners.length]?.points ?? 0;
  const tricks = deals.reduce((sum, deal) => sum + deal.tricks.length, 0);
  const facts = [t("page.end_deals", { count: deals.length }), t("page.end_tricks", { count: tricks })];
  if (winners.length)
    facts.push(
      winners.length > 1
        ? t("page.end_each", { points: rows[0].points })
        : t("page.end_score", { first: rows[0].points, second }),
    );
  return h(
    "div",
    { class: "hero" },
    h(
      "div",
      null,
      h("h1", null, outcome(game, winners, rows[0]?.points - second)),
      h("p", { class: "tag1" }, deals.length ? `${facts.join(", ")}.` : t("page.end_nothing")),
      h(
        "div",
        { class: "next" },
        next,
        deals.length > 0 && mySeat(game) !== null && review(game, "page.review_match", "big"),
        !deals.length && h("a", { class: "btn big", key: "home", href: "/" }, t("page.home")),
      ),
    ),
    winners.length ? podium(game, winners) : h("div", { class: "stones", "aria-hidden": "true" }, asleep()),
  );
}

/**
 * The winner's stone on top of a cairn of all five colours, which is set stone by stone.
 * @param {Game} game
 * @param {number[]} winners
 */
const podium = (game, winners) =>
  h(
    "div",
    { class: `podium ${stretch() ? "" : "at-once"}`, style: { "--stretch": String(stretch()) }, "aria-hidden": "true" },
    h(
      "div",
      { class: "winners" },
      winners.slice(0, 3).map((seat) => face(lookOf(game, seat))),
    ),
    [...COLOURS].reverse().map((colour) => h("i", { class: `stone ${colour}` })),
  );

/** Who has won. @param {Game} game @param {number[]} winners @param {number} margin */
function outcome(game, winners, margin) {
  if (!winners.length) return t("page.end_broken_off");
  const names = winners.map((seat) => called(game, seat));
  if (names.length > 1) return t("page.end_shared", { names: new Intl.ListFormat(language()).format(names) });
  return t(winners[0] === mySeat(game) ? "page.end_you_win" : "page.end_wins", { name: names[0], count: margin });
}

/** @param {Game} game @param {Deal[]} deals @param {ReturnType<typeof ranked>} rows */
function standings(game, deals, rows) {
  return h(
    "section",
    { class: "box" },
    h("h2", null, t("page.standings")),
    h(
      "ol",
      { class: "stand" },
      rows.map(({ seat, points }) =>
        h(
          "li",
          { key: seat, class: seat === mySeat(game) ? "me" : "" },
          h("span", { class: "quiet" }, game.places[seat]),
          face(lookOf(game, seat)),
          h(
            "span",
            null,
            h("span", { class: "name" }, titleOf(game, seat)),
            deals.length > 1 && h("span", { class: "deals" }, deals.map((deal) => scoreOf(deal, seat)).join(" + ")),
          ),
          h("span", { class: "pts" }, points, h("span", { class: "vh" }, " ", t("page.points_short"))),
        ),
      ),
    ),
  );
}

/**
 * The totals after each deal; of a single deal, its points after each trick.
 * @param {Game} game
 * @param {Deal[]} deals
 */
function totals(game, deals) {
  const single = deals.length === 1;
  const lines = game.chairs.map((_, seat) => {
    const gains = single ? deals[0].tricks.map((trick) => gain(trick, seat)) : deals.map((deal) => scoreOf(deal, seat));
    return {
      name: called(game, seat),
      look: lookOf(game, seat),
      me: seat === mySeat(game),
      points: [0, ...gains].map((_, count) => gains.slice(0, count).reduce((sum, points) => sum + points, 0)),
    };
  });
  const title = t(single ? "page.chart_tricks" : "page.chart_deals");
  return h(
    "section",
    { class: "box" },
    h("h2", null, title),
    chart(title, t(single ? "page.trick" : "page.deal"), lines, ...chartSize(game.chairs.length)),
  );
}

/**
 * In pixels; as high as the standings where it lies beside them.
 * @param {number} players
 * @returns {[number, number]}
 */
function chartSize(players) {
  const room = Math.max(320, document.documentElement.clientWidth);
  if (room < 860) return [room - 64, LOWEST_CHART];
  return [Math.min(546, (room - 44) * (6 / 11) - 32), Math.max(LOWEST_CHART, 53.5 * players)];
}

/** @param {Game} game @param {() => void} ask */
function rematch(game, ask) {
  if (game.rematch)
    return h("a", { class: "btn act big", key: "rematch", href: `/t/${game.rematch}` }, t("page.rematch_there"));
  if (amHost(game)) return button(t("page.rematch"), ask, { class: "act big", key: "rematch", "data-act": "rematch" });
  if (mySeat(game) === null) return null;
  return h("p", { class: "wait", key: "rematch" }, t("page.rematch_by", { name: game.names[game.host] ?? "?" }));
}

/** The way to what the cards were worth. @param {Game} game @param {string} label @param {string} [kind] */
const review = (game, label, kind = "") =>
  offer.study && h("a", { class: `btn ${kind}`, key: "review", href: `/review/${game.table}` }, t(label));

/** @param {string} table */
async function takeRecord(table) {
  const record = await recordOf(table);
  if (record) download(`${table}.dgn`, record);
}

/** @param {Game} game @param {{ replay: () => void, piles?: () => void }} acts @returns {Inner} */
function more(game, acts) {
  return [
    button([icon("play"), t("page.replay_match")], acts.replay, { key: "replay" }),
    acts.piles && button(t("page.see_piles"), acts.piles, { key: "piles" }),
    verifyButton(
      game.table,
      game.deals.map((deal) => deal.commitment),
    ),
    !isSite && linkButton(t("page.share"), linkTo(`/replay/${game.table}`)),
    button([icon("download"), t("page.record")], () => takeRecord(game.table), { key: "record" }),
  ];
}

let ticking = 0;

/** The seconds that scores stay. @param {Game} game */
function secondsLeft(game) {
  if (isSolo(game)) return null;
  clearTimeout(ticking);
  ticking = setTimeout(draw, 1000);
  return Math.max(0, Math.ceil(offer.scores_seconds - (game.clock.seconds - game.turnSince)));
}

/**
 * The dialog between two deals.
 * @param {Game} game
 * @param {{ goOn: () => void, back: () => void, piles?: () => void, again?: () => void }} acts
 */
export function between(game, acts) {
  const deal = dealOf(game);
  if (!deal) return null;
  const me = mySeat(game);
  const gone = me !== null && game.goneOn.has(me);
  const stoodIn = myChair(game)?.standIn;
  const seconds = secondsLeft(game);
  return [
    h("div", { class: "scrim", key: "scrim" }),
    h(
      "div",
      {
        class: "dialog between",
        key: "between",
        role: "dialog",
        "aria-labelledby": "between-title",
        tabindex: "-1",
        focus: true,
      },
      h(
        "h2",
        { id: "between-title" },
        t("page.deal_is_over", { deal: deal.deal }),
        Boolean(seconds) &&
          h("small", { class: "quiet", "aria-hidden": "true" }, t("page.seconds_short", { count: seconds })),
      ),
      h(
        "ul",
        { class: "stand" },
        ranked(game.chairs.map((_, seat) => scoreOf(deal, seat))).map(({ seat, points, place }) =>
          h(
            "li",
            { key: seat, class: seat === me ? "me" : "" },
            h("span", { class: "quiet" }, place),
            face(lookOf(game, seat)),
            h(
              "span",
              null,
              h("span", { class: "name" }, titleOf(game, seat)),
              h(
                "span",
                { class: "deals" },
                t("page.match_total", { count: game.totals[seat] }),
                isReady(game, seat) && [" · ", t("page.ready")],
              ),
            ),
            h("span", { class: "pts" }, signed(points)),
          ),
        ),
      ),
      (stoodIn || gone) &&
        h("p", { class: "quiet", role: "status" }, t(stoodIn ? "page.stood_in" : "page.others_look")),
      soundOffer(),
      h(
        "div",
        { class: "acts" },
        acts.again && game.solo && me !== null && button(t("page.deal_again"), acts.again, { key: "again" }),
        acts.piles && button(t("page.see_piles"), acts.piles, { key: "piles" }),
        game.solo && me !== null && review(game, "page.review_deal"),
        me !== null &&
          (stoodIn
            ? button(t("page.take_over"), acts.back, { key: "here", class: "act", "data-act": "here" })
            : !gone &&
              button(t("page.deal_next", { deal: deal.deal + 1 }), acts.goOn, {
                key: "on",
                class: "act",
                "data-act": "go-on",
              })),
      ),
    ),
  ];
}

/** Whether a person has seen the scores; bots always have. @param {Game} game @param {number} seat */
const isReady = (game, seat) => !isSolo(game) && isPerson(game.chairs[seat].player) && game.goneOn.has(seat);
