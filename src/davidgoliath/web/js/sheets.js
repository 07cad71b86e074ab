// What opens over the table: points by colour, the last trick, the radar, the people, and whatever else brings its own view.

import { botName } from "./bots.js";
import { h, memo } from "./dom.js";
import { COLOURS, isPerson, mySeat } from "./game.js";
import { outcome, gain, storyLine, why } from "./narrator.js";
import { button, cardPicture, chip, face, icon, iconButton, role, segments, suit } from "./pieces.js";
import { radar, stateOf } from "./piles.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Trick} Trick
 * @typedef {import("./dom.js").Inner} Inner
 * @typedef {import("./piles.js").Row} Row
 */

export const EMOTES = ["hello", "well_played", "thanks", "oops", "wow", "hurry", "sorry", "good_game"];

/**
 * A dialog over the table. Escape and the scrim close it, and the focus stays in it.
 * @param {string} name
 * @param {Inner} title
 * @param {() => void} close
 * @param {...Inner} inner
 */
export function sheet(name, title, close, ...inner) {
  return [
    h("div", { class: "scrim", key: "scrim", on: { click: close } }),
    h(
      "div",
      { class: `sheet ${name}`, key: `sheet-${name}`, role: "dialog", "aria-modal": "true", "aria-labelledby": "sheet-title", tabindex: "-1", focus: true, on: { keydown: (/** @type {KeyboardEvent} */ event) => inside(event, close) } },
      h("header", null, h("h2", { id: "sheet-title" }, title), iconButton("close", t("page.close"), close)),
      inner,
    ),
  ];
}

/** @param {KeyboardEvent} event @param {() => void} close */
function inside(event, close) {
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
  }
  if (event.key !== "Tab") return;
  const dialog = /** @type {HTMLElement} */ (event.currentTarget);
  const stops = /** @type {HTMLElement[]} */ ([...dialog.querySelectorAll("button, a[href], input, select, summary")]).filter((stop) => stop.offsetParent);
  const [first, last] = [stops[0], stops.at(-1)];
  if (event.shiftKey && (document.activeElement === first || document.activeElement === dialog)) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first?.focus();
  }
}

/** Points that explain themselves. @param {Row} row @param {() => void} close */
export function pointsSheet(row, close) {
  return sheet(
    "points",
    [face(row.seat), h("span", { class: "grow" }, row.me ? t("page.your_points") : row.name), h("b", { class: "large" }, row.score)],
    close,
    h(
      "ul",
      { class: "parts" },
      COLOURS.map((colour, place) => {
        const pile = row.piles[place];
        const how = { bare: "page.counts_none", up: pile.values.length > 1 ? "page.counts_two" : "page.counts_one", rubble: "page.counts_rubble" }[stateOf(pile)];
        return h(
          "li",
          { key: colour },
          suit(colour),
          h("span", { class: "v" }, pile.values.map((value) => chip(colour + value)), h("span", { class: "how" }, t(how))),
          h("b", null, pile.worth),
        );
      }),
    ),
    h("p", { class: "quiet" }, t("page.match_total", { count: row.total })),
  );
}

/** Where the bar has no room for all of its buttons. @param {(name: string) => void} open @param {() => void} close */
export function menuSheet(open, close) {
  const ways = /** @type {[string, "people" | "help" | "gear"][]} */ ([["people", "people"], ["rules", "help"], ["settings", "gear"]]);
  return sheet("menu", t("page.menu"), close, h("div", { class: "menu" }, ways.map(([name, sign]) => button([icon(sign), t(`page.${name}`)], () => open(name), { key: name }))));
}

/** @param {Row[]} rows @param {() => void} close */
export const radarSheet = (rows, close) => sheet("radar", t("page.radar"), close, radar(rows));

/** Who took what, and why. @param {Trick[]} tricks @param {number} number @param {(seat: number) => string} name @param {(number: number) => void} turnTo @param {() => void} close */
export function trickSheet(tricks, number, name, turnTo, close) {
  const trick = tricks[number];
  if (!trick) return sheet("last", t("page.last_trick"), close, h("p", null, t("page.no_trick_yet")));
  return sheet(
    "last",
    t("page.trick_number", { number: number + 1 }),
    close,
    h(
      "div",
      { class: "mini", style: { "--n": String(trick.plays.length) } },
      trick.plays.map((play) =>
        h(
          "div",
          { key: play.seat, class: "mini-slot" },
          h("div", { class: "tag" }, play.seat === trick.goliath && role("goliath"), play.seat === trick.david && role("david")),
          cardPicture(play.card),
          h("div", { class: "who" }, name(play.seat)),
        ),
      ),
    ),
    h("p", null, why(trick, name)),
    h("p", null, outcome(trick, name, (seat) => gain(trick, seat))),
    h(
      "div",
      { class: "acts" },
      button(t("page.earlier"), () => turnTo(number - 1), { disabled: number === 0 }),
      button(t("page.later"), () => turnTo(number + 1), { disabled: number === tricks.length - 1 }),
    ),
  );
}

/** All tricks of the deal, the newest first. @param {Trick[]} tricks @param {(seat: number) => string} name */
export function story(tricks, name) {
  return memo("story", [tricks, tricks[0] && tricks[0].plays.map((play) => name(play.seat)).join()], () => newStory(tricks, name));
}

/** @param {Trick[]} tricks @param {(seat: number) => string} name */
function newStory(tricks, name) {
  return h(
    "ol",
    { class: "log" },
    tricks.map((trick, place) => h("li", { key: place }, h("span", { class: "no" }, place + 1), storyLine(trick, name))).reverse(),
  );
}

/**
 * The people at the table, and what the host can do.
 * @param {Game} game
 * @param {(seat: number) => string} name
 * @param {{ wish: (wish: { type: string } & Record<string, any>) => void, emote: (emote: string) => void, close: () => void,
 *           open: (sheet: string) => void }} acts
 */
export function peopleSheet(game, name, acts) {
  const host = game.you !== null && game.you === game.host;
  const seated = mySeat(game) !== null;
  const others = game.chairs.filter((chair) => isPerson(chair.player)).length > 1;
  return sheet(
    "people",
    t("page.people"),
    acts.close,
    h(
      "ul",
      { class: "stand" },
      game.chairs.map((chair, seat) => {
        const person = isPerson(chair.player);
        const away = person && !game.present.has(chair.player ?? "");
        const note = chair.standIn ? t("page.bot_plays") : away ? t("page.away") : chair.player === game.host ? t("page.host") : person || !chair.player ? "" : botName(chair.player.slice(4));
        return h(
          "li",
          { key: seat },
          face(seat),
          h("span", { class: "grow" }, h("span", { class: "name" }, name(seat)), h("span", { class: "deals" }, note)),
          host && away && !chair.standIn && button(t("page.let_bot_play"), () => acts.wish({ type: "replaceabsent", seat, bot: "club" })),
          host && person && chair.player !== game.you && button(t("page.remove"), () => acts.wish({ type: "remove", person: chair.player })),
        );
      }),
    ),
    game.spectators > 0 && h("p", { class: "quiet" }, t("page.watching", { count: game.spectators })),
    seated && others && h("div", { class: "emotes", role: "group", "aria-label": t("page.emotes") }, EMOTES.map((emote) => button(t(`page.emote.${emote}`), () => acts.emote(emote), { key: emote }))),
    host && h("div", { class: "opt" }, h("span", null, t("page.bot_pace")), paceChoice(game, acts.wish)),
    host &&
      h(
        "div",
        { class: "acts" },
        button(game.paused ? t("page.resume") : t("page.pause"), () => acts.wish({ type: game.paused ? "resume" : "pause" })),
        others && button(game.locked ? t("page.unlock") : t("page.lock"), () => acts.wish({ type: "lock", locked: !game.locked })),
        button(t("page.end_match"), () => acts.open("end")),
      ),
    seated && h("div", { class: "acts" }, button(t("page.leave_table"), () => acts.open("leave"))),
  );
}

/** Asks before something that can't be undone. @param {string} title @param {string} question @param {() => void} act @param {() => void} close */
export function sureSheet(title, question, act, close) {
  return sheet("sure", title, close, h("p", null, question), h("div", { class: "acts" }, button(t("page.no"), close, { focus: true }), button(title, act, { class: "act", "data-act": "sure" })));
}

/** @param {Game} game @param {(wish: { type: string } & Record<string, any>) => void} wish */
function paceChoice(game, wish) {
  const options = /** @type {[string, string][]} */ ([["0", t("page.pace_instant")], ["400", t("page.pace_quick")], ["1000", t("page.pace_normal")], ["2000", t("page.pace_slow")]]);
  return segments(t("page.bot_pace"), options, String(game.pace ?? 1000), (value) => wish({ type: "setpace", milliseconds: Number(value) }));
}
