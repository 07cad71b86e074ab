// The seats round a table before the match, with me at the bottom: who sits where, and which seats are open.

import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { botName } from "../ui/bots.js";
import { face } from "../ui/pieces.js";
import { botOf, isPerson, mySeat, nameOf } from "./game.js";
import { lookOf } from "./looks.js";

/** @typedef {import("./game.js").Game} Game */

/**
 * @param {Game} game
 * @param {number | null} chosen
 * @param {(seat: number) => (() => void) | null} act  what a tap on a seat does, if anything
 */
export function roundTable(game, chosen, act) {
  const players = game.chairs.length;
  const first = mySeat(game) ?? 0;
  const open = game.chairs.filter((chair) => !chair.player).length;
  return h(
    "section",
    { class: `round of-${players}`, "aria-label": t("page.seats") },
    h("p", { class: "middle" }, h("span", null, open ? t("page.seats_open", { count: open }) : t("page.seats_full"))),
    h(
      "ul",
      null,
      game.chairs.map((_, seat) => {
        const angle = (2 * Math.PI * ((seat - first + players) % players)) / players;
        const style = { "--x": (-Math.sin(angle)).toFixed(3), "--y": Math.cos(angle).toFixed(3) };
        return h("li", { key: seat, style }, place(game, seat, chosen === seat, act(seat)));
      }),
    ),
  );
}

/** @param {Game} game @param {number} seat @param {boolean} isChosen @param {(() => void) | null} act */
function place(game, seat, isChosen, act) {
  const { player } = game.chairs[seat];
  const isAway = isPerson(player) && !game.present.has(player ?? "");
  const whose = player ? (player === game.you ? "me" : "") : "open";
  const kind = `seat-at ${whose} ${isAway ? "away" : ""} ${isChosen ? "chosen" : ""}`;
  const inner = [
    player ? face(lookOf(game, seat)) : h("span", { class: "face" }, "+"),
    h("span", { class: "name" }, player ? nameOf(game, seat, t) : t("page.open_seat")),
    h("small", null, subtitle(game, seat, isAway, act !== null)),
  ];
  return act
    ? h(
        "button",
        {
          type: "button",
          key: "act",
          class: kind,
          "aria-expanded": player || isChosen ? String(isChosen) : null,
          on: { click: act },
        },
        inner,
      )
    : h("div", { class: kind, key: "still" }, inner);
}

/** @param {Game} game @param {number} seat @param {boolean} isAway @param {boolean} canAct */
function subtitle(game, seat, isAway, canAct) {
  const { player } = game.chairs[seat];
  if (!player) return canAct ? (mySeat(game) === null ? t("page.sit") : t("page.place_bot")) : "";
  const bot = botOf(player);
  if (bot) return botName(bot);
  if (isAway) return t("page.away");
  return player === game.host ? t("page.host") : "";
}
