// Somebody without a seat at a running table: sees what everyone sees, and may have a bot's seat where the table allows
// it.

import { h } from "../base/dom.js";
import { beSomeone, whatFailed } from "../base/person.js";
import { draw } from "../base/router.js";
import { stored } from "../base/storage.js";
import { capital, refusal, t } from "../base/texts.js";
import { nameField, trouble } from "../ui/forms.js";
import { button } from "../ui/pieces.js";
import { dealOf, isPerson, nameOf } from "./game.js";
import { sentAway } from "./people.js";

/** @typedef {import("./session.js").Session} Session @typedef {import("../base/dom.js").Inner} Inner */

const ui = { name: "", failed: "", seat: /** @type {number | null} */ (null) };

/** What lies where a hand would. @param {Session} session */
export function watching(session) {
  const { game } = session;
  if (ui.seat !== null && game.you) {
    const seat = ui.seat;
    ui.seat = null;
    queueMicrotask(() => session.wish({ type: "sit", seat }));
  }
  return h(
    "section",
    { class: "hand watching", "aria-label": t("page.you_watch_short") },
    ways(session),
    ui.failed && trouble(ui.failed),
  );
}

/** How I came to watch, and how I can play. @param {Session} session @returns {Inner} */
function ways(session) {
  const { game } = session;
  if (game.sentAway)
    return [
      h("p", { key: "sent-away", role: "status" }, h("b", null, sentAway(game))),
      h("a", { class: "btn act", key: "home", href: "/" }, t("page.home")),
    ];
  const promised = game.chairs.some(({ heir }) => heir && heir === game.you);
  if (promised)
    return [
      h("p", { role: "status" }, h("b", null, t("page.you_next"))),
      button(t("page.give_up"), () => session.wish({ type: "leave" }), { key: "give-up" }),
    ];
  const left = game.phase === "playing" && game.you ? (dealOf(game)?.players.indexOf(game.you) ?? -1) : -1;
  if (left >= 0 && !isPerson(game.chairs[left].player)) {
    return [
      h("p", null, t("page.you_left")),
      button(t("page.back_to_seat"), () => session.wish({ type: "sit", seat: left }), {
        class: "act",
        key: "back",
        "data-act": "back",
      }),
    ];
  }
  return [h("p", null, t("page.you_watch")), takeover(session)];
}

/**
 * The seats of bots that a newcomer may have: in the middle of a deal, with the next one.
 * @param {Session} session
 * @returns {Inner}
 */
function takeover(session) {
  const { game } = session;
  if (!game.takeover || game.locked || game.phase === "over") return null;
  const seats = game.chairs.flatMap(({ player, heir }, seat) => (player && !isPerson(player) && !heir ? [seat] : []));
  if (!seats.length) return null;
  if (game.phase === "playing" && dealOf(game)?.deal === game.most)
    return h("p", null, capital(refusal("last_deal", {})));
  return [
    game.phase === "playing" && h("p", { key: "next" }, h("b", null, t("page.take_next"))),
    game.hints && h("p", { class: "quiet", key: "hints" }, capital(t("page.with_hints"))),
    h(
      "div",
      { class: "takeover", key: "seats" },
      nameField("name", t("page.name"), ui.name || (stored.name ?? ""), (name) => (ui.name = name)),
      seats.map((seat) =>
        button(t("page.take_seat_of", { name: nameOf(game, seat, t) }), () => void take(session, seat), { key: seat }),
      ),
    ),
  ];
}

/** @param {Session} session @param {number} seat */
async function take(session, seat) {
  ui.failed = "";
  try {
    await beSomeone(ui.name);
    ui.seat = seat;
    if (session.game.you) draw();
    else session.socket.connect(); // says hello again, as somebody
  } catch (refused) {
    ui.failed = whatFailed(refused);
    draw();
  }
}
