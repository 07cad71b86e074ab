// The people at the table: who is there and who isn't, what the host can do about it, and the question whether I am
// there.

import { h } from "../base/dom.js";
import { rich, t } from "../base/texts.js";
import { character, offer } from "../ui/bots.js";
import { choice } from "../ui/forms.js";
import { button, chip, face } from "../ui/pieces.js";
import { dialog, sureDialog } from "./dialogs.js";
import { amHost, amOwner, botOf, isPerson, mySeat, nameOf } from "./game.js";
import { lookOf, titleOf } from "./looks.js";
import { meanwhile, next } from "./view_model.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("../base/dom.js").Inner} Inner
 * @typedef {(wish: import("./session.js").Wish) => void} Say
 */

const AWAY = { gone: "page.away", late: "page.away_late", silent: "page.away_silent" };
const AWAY_SAYS = { gone: "page.gone_says", late: "page.late_says", silent: "page.silent_says" };

/**
 * What is said of who comes, goes and is missed, to those whom it doesn't concern otherwise.
 * @param {Game} game
 * @param {import("../base/protocol").AnyEvent} event
 * @returns {Inner}
 */
export function news(game, event) {
  if (event.type === "hostis") return event.person === game.you && !amOwner(game) && acting(game);
  if (event.type === "undone") return takenBack(game);
  if (event.type === "reserved")
    return event.person && event.person !== game.you && t("page.next_says", { name: game.names[event.person] ?? "?" });
  if (!("seat" in event)) return null;
  const chair = game.chairs[event.seat];
  const mine = chair.player === game.you;
  const name = nameOf(game, event.seat, t);
  if (event.type === "cameback" && mine) return meanwhile(game, chair);
  if (mine) return null;
  if (event.type === "hinted") return t("page.hinted_says", { name });
  if (event.type === "asked") return t("page.asked_says", { name });
  if (event.type === "away") return t(AWAY_SAYS[event.why], { name });
  if (event.type === "stoodin") return t("page.stoodin_says", { name });
  return event.type === "cameback" && t("page.back_says", { name });
}

/** @param {Game} game */
function takenBack({ undone, you, chairs }) {
  const mine = undone.filter(({ seat }) => chairs[seat].player === you);
  if (mine.length !== 1) return t("page.undone_all");
  return rich(undone.length > 1 ? "page.undone_more" : "page.undone", { card: chip(mine[0].card) });
}

/** @param {Game} game */
const acting = (game) => t("page.acting", { name: game.names[game.owner] ?? "?" });

/** Who asks me. @param {Game} game */
export const question = (game) => t("page.asks_you", { name: game.names[game.host] ?? "?" });

/**
 * The host asks whether I am there: one tap says so, and so does a card.
 * @param {Game} game
 * @param {() => void} answer
 */
export function asked(game, answer) {
  const since = game.chairs[mySeat(game) ?? 0].askedAt;
  const left = since === null ? null : Math.max(0, Math.ceil(offer.answer_seconds - (game.clock.seconds - since)));
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Tab") event.preventDefault(); // there is nothing else to go to
    if (event.key === "Escape") answer();
  };
  return [
    h("div", { class: "scrim", key: "scrim" }),
    h(
      "div",
      {
        class: "dialog asked",
        key: "asked",
        role: "alertdialog",
        "aria-modal": "true",
        "aria-labelledby": "asked-title",
        "aria-describedby": "asked-why",
        on: { keydown },
      },
      h(
        "h2",
        { id: "asked-title" },
        face(lookOf(game, mySeat(game) ?? 0)),
        h("span", { class: "grow" }, question(game)),
        left !== null &&
          h("small", { class: "quiet", "aria-hidden": "true" }, t("page.seconds_short", { count: left })),
      ),
      h("p", { id: "asked-why", class: "quiet" }, t("page.asks_you_why")),
      button(t("page.am_here"), answer, { class: "act big", "data-act": "here", focus: true }),
    ),
  ];
}

/** Whether somebody is there, in a few words. @param {Game} game @param {number} seat */
function presence(game, seat) {
  const { player, standIn, away, isAsked, heir } = game.chairs[seat];
  const why = away ? t(AWAY[away]) : isPerson(player) && !game.present.has(player ?? "") && t("page.away");
  return [why, standIn ? t("page.bot_plays") : isAsked && t("page.asked_note"), heir && next(game, heir)].filter(
    Boolean,
  );
}

/**
 * What the host can do about somebody who may not be there.
 * @param {Game} game
 * @param {number} seat
 * @param {Say} wish
 */
export function tools(game, seat, wish) {
  const { player, standIn, away, isAsked } = game.chairs[seat];
  if (!amHost(game) || game.phase === "over" || !isPerson(player) || player === game.you) return null;
  if (away)
    return !standIn && button(t("page.let_bot_play"), () => wish({ type: "replaceabsent", seat }), { key: "bot" });
  return (
    !isAsked &&
    game.present.has(player ?? "") &&
    button(t("page.ask"), () => wish({ type: "ask", seat }), { key: "ask" })
  );
}

/**
 * The people at the table, and what the host can do.
 * @param {Game} game
 * @param {{ wish: Say, close: () => void, open: (dialog: string, more?: { seat: number }) => void }} acts
 */
export function peopleDialog(game, acts) {
  const goesOn = game.phase !== "over";
  const [host, owner] = [amHost(game) && goesOn, amOwner(game) && goesOn];
  const seated = mySeat(game) !== null;
  const others = game.chairs.filter((chair) => isPerson(chair.player)).length > 1;
  return dialog(
    "people",
    t("page.people"),
    acts.close,
    h(
      "ul",
      { class: "stand" },
      game.chairs.map(({ player, away, standIn }, seat) => {
        const bot = botOf(player);
        const notes = [player === game.host && t("page.host"), bot && character(bot), ...presence(game, seat)].filter(
          Boolean,
        );
        return h(
          "li",
          { key: seat, class: away || standIn ? "away" : "" },
          face(lookOf(game, seat)),
          h(
            "span",
            { class: "grow" },
            h("span", { class: "name" }, titleOf(game, seat)),
            h("span", { class: "deals" }, notes.join(" · ")),
          ),
          h("span", { class: "tools" }, tools(game, seat, acts.wish)),
        );
      }),
    ),
    host && !owner && h("p", { class: "quiet acting" }, acting(game)),
    game.spectators > 0 && h("p", { class: "quiet" }, t("page.watching", { count: game.spectators })),
    host && paceChoice(game, acts.wish),
    host &&
      h(
        "div",
        { class: "acts" },
        button(game.paused ? t("page.resume") : t("page.pause"), () =>
          acts.wish({ type: game.paused ? "resume" : "pause" }),
        ),
        owner &&
          others &&
          button(game.locked ? t("page.unlock") : t("page.lock"), () =>
            acts.wish({ type: "lock", locked: !game.locked }),
          ),
        owner &&
          button(t(game.watched ? "page.watch_off" : "page.watch_on"), () =>
            acts.wish({ type: "letwatch", allowed: !game.watched }),
          ),
      ),
    goesOn && (owner || seated) && h("div", { class: "acts grave" }, grave(game, owner, seated, acts.open)),
  );
}

/**
 * What can't be undone, apart from all else; each of them asks first.
 * @param {Game} game
 * @param {boolean} owner
 * @param {boolean} seated
 * @param {(dialog: string, more?: { seat: number }) => void} open
 */
function grave(game, owner, seated, open) {
  const guests = game.chairs.flatMap(({ player }, seat) =>
    owner && isPerson(player) && player !== game.you ? [seat] : [],
  );
  return [
    seated && button(t("page.leave_table"), () => open("leave"), { key: "leave" }),
    guests.map((seat) =>
      button(t("page.send_away", { name: nameOf(game, seat, t) }), () => open("remove", { seat }), {
        key: `remove ${seat}`,
      }),
    ),
    owner && button(t("page.end_match"), () => open("end"), { key: "end" }),
  ];
}

/**
 * Asks before somebody is sent away.
 * @param {Game} game
 * @param {number} seat
 * @param {Say} wish
 * @param {() => void} close
 */
export function removeDialog(game, seat, wish, close) {
  const { player } = game.chairs[seat];
  if (!isPerson(player) || player === game.you) return null; // they have left meanwhile
  const name = nameOf(game, seat, t);
  const send = () => {
    wish({ type: "remove", person: player });
    close();
  };
  return sureDialog(t("page.send_away", { name }), t("page.send_away_sure", { name }), send, close);
}

/** For whoever is sent away. @param {Game} game */
export const sentAway = (game) => t("page.sent_away_by", { name: game.names[game.host] ?? "?" });

/** @param {Game} game @param {Say} wish */
function paceChoice(game, wish) {
  const options = /** @type {[string, string][]} */ ([
    ["0", t("page.pace_instant")],
    ["400", t("page.pace_quick")],
    ["1000", t("page.pace_normal")],
    ["2000", t("page.pace_slow")],
  ]);
  return choice(
    t("page.bot_pace"),
    options,
    nearest(game.pace ?? offer.pace, options),
    (value) => wish({ type: "setpace", milliseconds: Number(value) }),
    t("page.bot_pace_hint"),
  );
}

/** The choice that a pace comes next to. @param {number} pace @param {[string, string][]} options */
function nearest(pace, options) {
  const far = (/** @type {string} */ value) => Math.abs(Number(value) - pace);
  return options.map(([value]) => value).reduce((one, other) => (far(other) < far(one) ? other : one));
}
