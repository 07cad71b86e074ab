// The tables where this person has been: those that go on, and those that are over.

import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { isUnknown } from "../base/person.js";
import { draw } from "../base/router.js";
import { stored } from "../base/storage.js";
import { language, t } from "../base/texts.js";
import { botOf, stoneName } from "../table/game.js";
import { nothing, offline } from "../ui/empty_states.js";
import { trouble } from "../ui/forms.js";
import { frame } from "../ui/frame.js";
import { face } from "../ui/pieces.js";

/**
 * @typedef {import("../base/protocol").Game} Game
 * @typedef {import("../base/protocol").MyTable} Entry
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
/** @type {Refused | null} */
let failed = null;

/** @type {import("../base/router.js").Page} */
export const page = {
  enter: load,
  title: () => t("page.games"),
  view: () => frame(t("page.games"), content(), { kind: "games" }),
};

async function load() {
  failed = null;
  if (!stored.token) entries = [];
  else {
    try {
      entries = (await ask("GET /api/me")).tables;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      if (isUnknown(refused)) entries = [];
      else failed = refused;
    }
  }
  draw();
}

function content() {
  if (failed?.reason === "offline") return offline(failed.message, load);
  if (failed) return trouble(failed.message);
  if (!entries) return h("p", { class: "quiet", role: "status" }, t("page.loading"));
  if (!entries.length)
    return nothing(
      t("page.games_none"),
      t("page.games_none_hint"),
      h("a", { class: "btn act", href: "/" }, t("page.home_play")),
    );
  const over = entries.filter(isOver);
  const open = entries.filter((entry) => !isOver(entry));
  return [shelf(t("page.games_open"), open), shelf(t("page.games_over"), over)];
}

/** @param {Entry} entry */
const isOver = ({ stage, game }) => stage === "over" || game?.phase === "over";

/** @param {string} headline @param {Entry[]} shown */
const shelf = (headline, shown) =>
  shown.length > 0 &&
  h("section", { class: "shelf", key: headline }, h("h2", null, headline), h("ul", { class: "stack" }, shown.map(one)));

/** @param {Entry} entry */
function one(entry) {
  const { table, link, active, game } = entry;
  const hasDeals = game?.totals.some((total) => total > 0);
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
      game &&
        h(
          "span",
          { class: game.turn ? "badge" : "quiet" },
          game.turn ? t("page.your_turn_short") : t(`page.phase.${game.phase}`),
        ),
    ),
    game &&
      h(
        "ul",
        { class: "who" },
        game.players.map((player, seat) => person(game, player, seat)),
      ),
    h(
      "p",
      { class: "acts" },
      !isOver(entry) && h("a", { class: "btn act", href: link }, t("page.return")),
      hasDeals && h("a", { class: "btn", href: `/replay/${table}` }, t("page.replay")),
    ),
  );
}

/** @param {Game} game @param {string | null} player @param {number} seat */
function person(game, player, seat) {
  const name =
    seat === game.seat ? t("page.you") : !player ? t("page.open_seat") : botOf(player) ? stoneName(seat) : player;
  const kind = seat === game.seat ? "me" : player ? "" : "quiet";
  return h(
    "li",
    { class: kind },
    player ? face(seat) : h("span", { class: "face" }),
    h("span", { class: "name" }, name),
    game.phase !== "gathering" && h("b", null, game.totals[seat]),
  );
}

/** When something happened, as people say it. @param {number} seconds since 1970 */
function ago(seconds) {
  const passed = Date.now() / 1000 - seconds;
  const words = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const [unit, length] = UNITS.find(([, length]) => passed >= length) ?? ["minute", MINUTE];
  return words.format(-Math.floor(passed / length), unit);
}
