// Somebody without a seat at a running table: sees what everyone sees, and may take a bot's seat where the table allows it.

import { botName } from "./bots.js";
import { h } from "./dom.js";
import { nameField, trouble } from "./forms.js";
import { isPerson, nameOf } from "./game.js";
import { own } from "./own.js";
import { beSomeone, whatFailed } from "./person.js";
import { button } from "./pieces.js";
import { draw } from "./router.js";
import { t } from "./texts.js";

/** @typedef {import("./session.js").Session} Session */

const ui = { name: "", failed: "", seat: /** @type {number | null} */ (null) };

/** What lies where a hand would. @param {Session} session */
export function watching(session) {
  const { game } = session;
  const seats = game.takeover && !game.locked && game.phase !== "over" ? game.chairs.flatMap(({ player }, seat) => (player && !isPerson(player) ? [seat] : [])) : [];
  if (ui.seat !== null && game.you) {
    const seat = ui.seat;
    ui.seat = null;
    queueMicrotask(() => session.wish({ type: "sit", seat }));
  }
  return h(
    "section",
    { class: "hand watching", "aria-label": t("page.you_watch_short") },
    h("p", null, t("page.you_watch")),
    seats.length > 0 &&
      h(
        "div",
        { class: "takeover" },
        nameField("name", t("page.name"), ui.name || (own.name ?? ""), (name) => (ui.name = name)),
        seats.map((seat) => button(t("page.take_seat_of", { name: nameOf(game, seat, t), bot: botName((game.chairs[seat].player ?? "").slice(4)) }), () => void take(session, seat), { key: seat })),
      ),
    ui.failed && trouble(ui.failed),
  );
}

/** @param {Session} session @param {number} seat */
async function take(session, seat) {
  ui.failed = "";
  try {
    await beSomeone(ui.name);
    ui.seat = seat;
    if (session.game.you) draw();
    else session.link.connect(); // says hello again, as somebody
  } catch (refused) {
    ui.failed = whatFailed(refused);
    draw();
  }
}
