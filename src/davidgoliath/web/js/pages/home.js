// The first page: a game within one tap, and the way to everything else.

import { ask, Refused } from "../base/api.js";
import { h } from "../base/dom.js";
import { PLAYERS, PRESETS } from "../base/facts.js";
import { friendsWay } from "../base/friends_way.js";
import { tableOfMine, whatFailed } from "../base/person.js";
import { draw, go } from "../base/router.js";
import { keep, stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { isSite } from "../base/transport.js";
import { botPicker, botsFor, learnOffer, mixFor, offer } from "../ui/bots.js";
import { choice, trouble } from "../ui/forms.js";
import { tools } from "../ui/frame.js";
import { ladder } from "../ui/ladder.js";
import { button, stone } from "../ui/pieces.js";
import { joinForm } from "./join.js";

let busy = false;
let failed = "";

/** @type {import("../base/router.js").Page} */
export const page = {
  enter() {
    busy = false;
    failed = "";
    learnOffer();
    lookAtTable();
  },
  view: () =>
    h(
      "div",
      { class: "page home raked", key: "home", style: { "--rx": "78%", "--ry": "34%" } },
      h(
        "div",
        { class: "in" },
        h(
          "main",
          { class: "split" },
          h("div", null, wordmark(), h("p", { class: "tag1" }, t("page.tagline")), duel()),
          h("div", { class: "cta" }, returnBar(), quickGame(), ladder(), ways()),
        ),
        tools(), // the style puts them on top: whoever goes by keys comes to the game first
        h(
          "footer",
          { class: "foot" },
          offer.public_list && h("a", { href: "/join" }, t("page.tables")),
          !stored.learnt && h("a", { href: "/settings" }, t("page.settings")),
          offer.site &&
            isSecureContext &&
            h("a", { href: "/site/" }, t("page.keep_game", { megabytes: Math.ceil(offer.site / 1e6) })),
          h("a", { href: "/privacy" }, t("page.privacy")),
        ),
      ),
    ),
};

/** Forgets the table to return to, once it is over or gone. */
async function lookAtTable() {
  const table = stored.table;
  if (!table) return;
  try {
    if ((await ask("GET /api/tables/{table}", { table })).phase !== "over") return;
  } catch (refused) {
    if (!(refused instanceof Refused) || refused.reason !== "no_such_table") return;
  }
  if (stored.table === table) delete stored.table;
  keep();
  draw();
}

const wordmark = () =>
  h(
    "h1",
    { class: "word", "aria-label": t("page.title") },
    h("span", { class: "d" }, t("page.word_david"), h("i", null, t("page.word_and"))),
    h("span", { class: "g" }, t("page.word_goliath")),
  );

/** A pebble that hops before a boulder that doesn't fit. */
const duel = () =>
  h(
    "div",
    { class: "duel", "aria-hidden": "true" },
    h(
      "svg",
      { class: "boulder V", viewBox: "0 0 240 214" },
      h("ellipse", { cx: 120, cy: 200, rx: 118, ry: 13, fill: "var(--stone)", "fill-opacity": 0.5 }),
      h("use", { href: "#stone-18", x: 8, y: 0, width: 224, height: 205 }),
    ),
    h(
      "svg",
      { class: "pebble Y", viewBox: "0 0 124 138" },
      h("ellipse", { cx: 62, cy: 130, rx: 40, ry: 7, fill: "var(--stone)", "fill-opacity": 0.55 }),
      h("path", {
        d: "M12 112 2 121M112 112l10 9",
        stroke: "var(--rim)",
        "stroke-width": 4.5,
        "stroke-linecap": "round",
        "stroke-opacity": 0.85,
      }),
      h("use", { class: "hops", href: "#stone-1", x: 6, y: 4, width: 112, height: 94 }),
    ),
  );

const returnBar = () =>
  stored.table &&
  h(
    "div",
    { class: "back" },
    h("span", { class: "face" }, stone(4, "Y")),
    t("page.home_waiting"),
    h("a", { class: "btn", href: `/t/${stored.table}` }, t("page.return")),
  );

/**
 * Tricks of a deal, times the seconds that one takes with so many players: a bot's card, a person's thoughts, a look.
 */
const dealSeconds = (/** @type {number} */ players) => 15 * (players + 6);

/** The choice of a game against bots, as it was last time. */
function quickGame() {
  const { last } = stored;
  const preset = PRESETS[/** @type {"classic"} */ (last.rules)] ?? PRESETS.classic;
  const deals = Number(preset.deals) || last.players;
  const minutes = Math.ceil((deals * dealSeconds(last.players)) / 60);
  /** @param {Partial<typeof last>} wish */
  const choose = (wish) => {
    Object.assign(last, wish);
    keep();
    draw();
  };
  return h(
    "section",
    { class: "now", "aria-label": t("page.home_quick") },
    h(
      "div",
      { class: "opts" },
      choice(
        t("page.players"),
        PLAYERS.map((number) => [String(number), number]),
        String(last.players),
        (number) => choose({ players: Number(number) }),
      ),
      choice(
        t("page.match"),
        [
          ["classic", t("page.match_full")],
          ["single", t("page.match_single")],
        ],
        last.rules,
        (rules) => choose({ rules }),
      ),
      botPicker(t("page.bots"), mixFor(last.bot), (bot) => choose({ bot }), true),
    ),
    isSite && h("p", { class: "quiet" }, t("site.bots")),
    h("p", { class: "takes" }, t("page.deals", { count: deals }), " · ", t("page.home_takes", { count: minutes })),
    failed && trouble(failed),
    button(t("page.home_play"), play, { class: "act big", disabled: busy }),
  );
}

async function play() {
  if (busy) return;
  busy = true;
  draw();
  const { players, bot, rules } = stored.last;
  try {
    await learnOffer(); // a bot that isn't there would be refused
    go(await tableOfMine({ seats: [null, ...botsFor(bot, players - 1)], rules }));
  } catch (refused) {
    busy = false;
    failed = whatFailed(refused);
    draw();
  }
}

/** Everything else; learning comes first and is large for whoever hasn't learnt it yet. */
function ways() {
  const learn = t("page.learn");
  const { href, hint: reached } = friendsWay();
  const friends = way(href, t("page.friends"), reached);
  const games = way("/games", t("page.games"), t("page.games_hint"));
  const rules = way("/rules", t("page.rules"), t("page.rules_hint"));
  const pad = way("/score", t("page.pad"), t("page.pad_hint"));
  const settings = way("/settings", t("page.settings"), t("page.settings_hint"));
  const hint = t("page.learn_hint");
  return h(
    "nav",
    { class: "ways", "aria-label": t("page.home_more") },
    stored.learnt
      ? [friends, way("/learn", learn, hint), !isSite && joinForm(), games, pad, rules, settings]
      : [
          h(
            "a",
            { class: "way wide first", href: "/learn" },
            stone(1, "Y"),
            h("span", null, h("b", null, t("page.learn_new")), h("span", null, hint)),
          ),
          friends,
          games,
          !isSite && joinForm(),
          pad,
          rules,
        ],
  );
}

/** @param {string} href @param {string} label @param {string} hint */
const way = (href, label, hint) =>
  h("a", { class: "way", key: href, href }, h("b", null, label), h("span", null, hint));
