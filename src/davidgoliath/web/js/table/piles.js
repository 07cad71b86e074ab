// Everyone's open piles, in two sizes: the ledger, a table of small cairns, and panels with every value on its stone.
// One or two stones stand, three and more are gravel: how many that is comes from the server, as the pile's worth and
// its next card.

import { COLOURS } from "../base/cards.js";
import { h, memo } from "../base/dom.js";
import { t } from "../base/texts.js";
import { viewport } from "../base/viewport.js";
import { face, suit } from "../ui/pieces.js";
import { stateOf } from "./game.js";
import { bubble } from "./looks.js";

/**
 * @typedef {import("./game.js").Pile} Pile
 * @typedef {import("../base/dom.js").VNode} VNode
 * @typedef {import("../base/dom.js").Inner} Inner
 *
 * @typedef {object} Row                 a seat, as the ledger and the panels show it
 * @property {number} seat
 * @property {import("../ui/pieces.js").Look} look
 * @property {string} name
 * @property {string} [title]            the name, and a bot's level
 * @property {string} [character]        a bot's
 * @property {Inner} note                a few words beneath the name
 * @property {boolean} me
 * @property {boolean} turn
 * @property {boolean} away
 * @property {Inner} [sign]              a sign at the face: away, asked, stood in for, or promised
 * @property {Pile[]} piles
 * @property {number} score              in this deal
 * @property {number | null} total       in the match, where it has more than this deal
 * @property {number | null} clock       which part of the turn is left, from 1 to 0
 * @property {Map<number, number>} swings  by colour: what this pile gains or loses
 * @property {Map<number, string>} [falls]  by colour: from what to what a cairn comes down just now
 * @property {"robbed" | "shaken" | null} [mood]  what has just been done to them
 * @property {(() => void)} open         shows the pile by colour
 * @property {string} [saying]           an emote
 */

const LARGE =
  "M5.5 28.5C2.6 28.5 1.5 25 3 20.5 4.8 15.4 11 12.2 22 12.2S39.2 15.4 41 20.5C42.5 25 41.4 28.5 38.5 28.5Z";
const CAP =
  "M13.2 11.6C11.4 11.6 10.8 9.6 11.7 7 12.9 3.6 16 1.8 21.6 1.8S30.6 3.6 31.8 7C32.7 9.6 32.1 11.6 30.3 11.6Z";
const GRAVEL = [
  [9, 26],
  [17.5, 26.6],
  [26, 26],
  [34, 26.5],
  [13, 20.6],
  [31, 20.8],
  [38.5, 22.5],
  [5.5, 21.5],
];

/** What stands over a face: a grumble, or the lines of a shock. */
const MOODS = {
  robbed: "M3 15c1-5 4-7 5-3s2 5 4 1 3-6 4-2 2 4 5-1",
  shaken: "M12 3v9M4.5 6.5l4 7M19.5 6.5l-4 7",
};

/** A pile in words. @param {string} colour @param {Pile} pile */
export function sayPile(colour, pile) {
  const name = t(`colour.${colour}`);
  if (!pile.values.length) return t("page.pile_none", { colour: name });
  return t("page.pile_says", { colour: name, values: pile.values.join(", "), count: pile.worth });
}

/**
 * What a pile gains or loses; of a cairn that comes down, its worth before and after.
 * @param {Row} row
 * @param {number} place
 */
function swing({ swings, falls }, place) {
  const change = swings.get(place);
  if (change === undefined) return null;
  const shown = falls?.get(place) ?? (change === 0 ? "±0" : `${change < 0 ? "▼" : "▲"}${Math.abs(change)}`);
  return h("span", { class: `swing ${change < 0 ? "loss" : ""}`, "aria-hidden": "true" }, shown);
}

/** A small pile. @param {Row} row @param {string} colour @param {number} place */
function cell(row, colour, place) {
  const pile = row.piles[place];
  const state = stateOf(pile);
  const count = pile.values.length;
  const changes = row.swings.has(place);
  const drawn =
    state === "bare"
      ? h("path", { class: "ground", d: "M15 25.5h14" })
      : state === "up"
        ? [h("path", { class: "lump", d: LARGE }), count > 1 && h("path", { class: "lump", d: CAP })]
        : GRAVEL.slice(0, count).map(([x, y], bit) =>
            h("ellipse", { class: "bit", cx: x, cy: y, rx: 3.4 - (bit % 3) * 0.4, ry: 2.6 - (bit % 2) * 0.3 }),
          );
  return h(
    "button",
    {
      type: "button",
      class: `cell ${colour} ${state} ${changes ? "changes" : ""}`,
      "data-pile": `${row.seat}${colour}`,
      "aria-label": sayPile(colour, pile),
      tabindex: "-1",
      on: { click: row.open },
    },
    h(
      "span",
      { class: "pic", "aria-hidden": "true" },
      h("svg", { viewBox: "0 0 44 30" }, drawn),
      count > 0 && h("b", null, pile.worth),
    ),
    swing(row, place),
  );
}

/**
 * Which part of a turn is left, for the style: all of it where nobody counts.
 * @param {number | null | undefined} clock
 * @returns {Record<string, string>}
 */
export const timeLeft = (clock) => (typeof clock === "number" ? { "--left": clock.toFixed(2) } : {});

/** A face with whose turn it is around it, and what it says. @param {Row} row */
function seat(row) {
  return [
    h(
      "span",
      { class: "faced", style: timeLeft(row.clock), "data-seat": row.seat },
      face(row.look, Boolean(row.mood)),
      row.sign && h("i", { class: "sign", "aria-hidden": "true" }, row.sign),
      row.mood &&
        h("svg", { class: "mood", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: MOODS[row.mood] })),
    ),
    row.saying && bubble(row.name, row.saying),
  ];
}

/** @param {Row} row */
const hold = (row) => h("span", { class: `hold ${row.sign && row.sign !== "+" ? "why" : ""}` }, row.note);

/** @param {Row} row */
const name = (row) =>
  h(
    "button",
    {
      type: "button",
      class: "named",
      "aria-label": t("page.points_of", { name: row.name, count: row.score }),
      on: { click: row.open },
    },
    row.name,
  );

/**
 * All piles as a table. Where panels show them to the eye, it is for ears alone.
 * @param {Row[]} rows
 * @param {string | null} led  the colour that was led
 */
export function ledger(rows, led) {
  const heard = viewport.panels;
  return h(
    "section",
    // where panels are the region, this is none
    { class: heard ? "vh" : "ledger", key: heard ? "heard" : "ledger", "aria-label": heard ? null : t("page.piles") },
    h(
      "table",
      { "aria-label": t("page.piles") },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { class: "who", scope: "col" }, h("span", { class: "vh" }, t("page.player"))),
          COLOURS.map((colour) =>
            h(
              "th",
              { scope: "col", class: colour === led ? "led" : "" },
              suit(colour),
              h("span", { class: "vh" }, t(`colour.${colour}`)),
            ),
          ),
          h(
            "th",
            { class: "sum", scope: "col" },
            rows[0]?.total === null
              ? t("page.points_short")
              : [t("page.deal_short"), h("small", null, t("page.match_short"))],
          ),
        ),
      ),
      h("tbody", null, rows.map(heard ? heardRow : ledgerRow)),
    ),
  );
}

/** @param {Row} row */
const heardRow = (row) =>
  h(
    "tr",
    { key: row.seat },
    h("th", { scope: "row" }, row.name),
    COLOURS.map((colour, place) => h("td", null, sayPile(colour, row.piles[place]))),
    h("td", null, row.score),
  );

/** What a row looks like comes from this alone. @param {Row} row */
const looks = (row) => [
  row.look,
  row.name,
  row.note,
  row.me,
  row.turn,
  row.away,
  typeof row.sign === "string" ? row.sign : Boolean(row.sign),
  row.piles,
  row.score,
  row.total,
  row.clock,
  [...row.swings].join(),
  [...(row.falls ?? [])].join(),
  row.mood,
  row.saying,
];

/** @param {Row} row */
function ledgerRow(row) {
  return memo(`ledger ${row.seat}`, looks(row), () => newLedgerRow(row));
}

/** @param {Row} row */
function newLedgerRow(row) {
  return h(
    "tr",
    { key: row.seat, class: `${row.me ? "me" : ""} ${row.turn ? "turn" : ""} ${row.away ? "away" : ""}` },
    h(
      "th",
      { scope: "row", class: "who" },
      h("span", { class: "seat" }, seat(row), h("span", { class: "name" }, name(row), hold(row))),
    ),
    COLOURS.map((colour, place) => h("td", null, cell(row, colour, place))),
    h("td", { class: "sum" }, h("b", null, row.score), row.total !== null && h("small", null, row.total)),
  );
}

/**
 * A large pile: every value on its stone.
 * @param {Row} row
 * @param {string} colour
 * @param {number} place
 * @param {number} highest
 * @param {number} room
 */
function cairn(row, colour, place, highest, room) {
  const pile = row.piles[place];
  const state = stateOf(pile);
  const changes = row.swings.has(place);
  const shown = pile.values.length > room ? pile.values.slice(0, room - 1) : pile.values;
  const inside =
    state === "rubble"
      ? [
          h("span", { class: "worth" }, pile.worth),
          h(
            "span",
            { class: "gravel" },
            shown.map((value) => h("i", { key: value }, value)),
            shown.length < pile.values.length && h("i", null, `+${pile.values.length - shown.length}`),
          ),
        ]
      : [
          pile.values.length > 1 && h("span", { class: "worth" }, pile.worth),
          pile.values.map((value) =>
            h("span", { key: value, class: "stone", style: { width: `${58 + (40 * value) / highest}%` } }, value),
          ),
        ];
  return h(
    "div",
    { class: `cairn ${colour} ${state} ${changes ? "changes" : ""}`, "data-pile": `${row.seat}${colour}` },
    inside,
    suit(colour),
    swing(row, place),
  );
}

/**
 * A pile to explain, with what it is worth.
 * @param {string} colour
 * @param {Pile} pile
 * @param {number} highest
 * @param {string} [caption]
 */
export function cairnFigure(colour, pile, highest, caption) {
  const standing = pile.values.map((value) =>
    h("span", { key: value, class: "stone", style: { "--bw": `${54 + (42 * value) / highest}%` } }, value),
  );
  const bits = h(
    "span",
    { class: "bits" },
    pile.values.map((value) => h("i", { key: value }, value)),
  );
  return h(
    "figure",
    { class: `${colour} ${stateOf(pile)}`, key: caption ?? colour, "aria-label": sayPile(colour, pile) },
    h("div", { class: "pic", "aria-hidden": "true" }, stateOf(pile) === "rubble" ? bits : standing),
    h("figcaption", null, h("b", null, pile.worth), caption),
  );
}

/**
 * A seat's piles, large. Screen readers have the ledger.
 * @param {Row} row
 * @param {number} highest
 * @param {number} room
 */
export function panel(row, highest, room) {
  return memo(`panel ${row.seat}`, [...looks(row), highest, room], () => newPanel(row, highest, room));
}

/** @param {Row} row @param {number} highest @param {number} room */
function newPanel(row, highest, room) {
  return h(
    "article",
    { key: row.seat, class: `panel ${row.turn ? "turn" : ""} ${row.away ? "away" : ""} ${row.saying ? "saying" : ""}` },
    h(
      "header",
      null,
      h("div", { class: "seat" }, seat(row), h("div", null, h("span", { class: "name" }, name(row)), hold(row))),
      h(
        "div",
        { class: "sum" },
        h("b", null, h("small", null, t(row.total === null ? "page.points_short" : "page.deal_short")), " ", row.score),
        row.total !== null && h("small", null, t("page.match_total", { count: row.total })),
      ),
    ),
    h(
      "div",
      { class: "cairns", "aria-hidden": "true" },
      COLOURS.map((colour, place) => cairn(row, colour, place, highest, room)),
    ),
  );
}

/** What the next card of a colour would do to each pile. @param {Row[]} rows */
export function radar(rows) {
  const given = rows.flatMap((row) => [row.name, row.piles]);
  return [
    memo("radar", given, () => radarTable(rows)),
    h(
      "p",
      { class: "key" },
      h("span", null, h("b", null, "▼18 "), t("page.radar_two", { count: 18 })),
      h("span", null, h("b", null, "9 ▲ "), t("page.radar_one")),
      h("span", null, h("b", null, "+1 "), t("page.radar_rubble")),
    ),
  ];
}

/** @param {Row[]} rows */
function radarTable(rows) {
  return h(
    "table",
    null,
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, h("span", { class: "vh" }, t("page.player"))),
        COLOURS.map((colour) =>
          h("th", { scope: "col" }, suit(colour), h("span", { class: "vh" }, t(`colour.${colour}`))),
        ),
      ),
    ),
    h(
      "tbody",
      null,
      rows.map((row) =>
        h(
          "tr",
          { key: row.seat },
          h("th", { scope: "row" }, row.name),
          COLOURS.map((colour, place) => h("td", null, radarCell(colour, row.piles[place]))),
        ),
      ),
    ),
  );
}

/** @param {string} colour @param {Pile} pile */
function radarCell(colour, pile) {
  const say = (/** @type {string} */ shown, /** @type {string} */ key) => [
    h("span", { "aria-hidden": "true" }, shown),
    h("span", { class: "vh" }, t(key, { count: pile.worth, change: pile.next === null ? "" : Math.abs(pile.next) })),
  ];
  if (pile.next === null) {
    return h(
      "div",
      { class: `r ${colour} ${pile.values.length ? "one" : ""}` },
      pile.values.length ? say(`${pile.worth} ▲`, "page.radar_says_one") : say("▲", "page.radar_says_none"),
    );
  }
  if (stateOf(pile) === "rubble") return h("div", { class: `r ${colour} dead` }, say("+1", "page.radar_says_rubble"));
  return h("div", { class: `r ${colour} hot` }, say(pile.next ? `▼${-pile.next}` : "±0", "page.radar_says_two"));
}
