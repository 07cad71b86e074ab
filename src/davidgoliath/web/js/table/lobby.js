// A table before its match: who comes, by which link, and who sits where.

import { become } from "../base/api.js";
import { h } from "../base/dom.js";
import { isUnknown, remember, whatFailed } from "../base/person.js";
import { draw, go, part } from "../base/router.js";
import { keep, stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { viewport } from "../base/viewport.js";
import { timeName } from "../pages/friends.js";
import { botName, botPicker, botsFor, learnOffer, levelFor, mixFor, offer } from "../ui/bots.js";
import { anotherDevice, hideDevice } from "../ui/device_link.js";
import { form, nameField, toggle, trouble } from "../ui/forms.js";
import { homeLink } from "../ui/frame.js";
import { button, iconButton, loadArt } from "../ui/pieces.js";
import { chooseStone, stonePicker } from "../ui/stone_picker.js";
import { amHost, amOwner, botOf, isPerson, mySeat } from "./game.js";
import { invite } from "./invite.js";
import { roundTable } from "./lobby_seats.js";
import { titleOf } from "./looks.js";
import { sentAway } from "./people.js";

/**
 * @typedef {import("../base/dom.js").Inner} Inner
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./session.js").Wish} Wish
 * @typedef {(wish: Wish) => void} Say
 * @typedef {{ wish: Wish, fits: (game: Game) => boolean }} Later
 */

const demonstrations = part(() => import("./demonstration.js"), ["table/demonstration.css"]);
const tutorial = part(() => import("../learn/learn.js"), ["learn/learn.css", "ui/marks.css"]);

/** What of the lobby is opened or written. */
const fresh = () => ({
  table: "",
  name: stored.name ?? "",
  failed: "",
  busy: false,
  /** @type {number | null} */
  chosen: null,
  sending: false, // asks whether somebody should really go
  /** @type {Later | null} */
  later: null,
  /** @type {"none" | "wanted" | "open"} a lesson that stands here instead */
  lesson: "none",
});
let ui = fresh();

/**
 * What a table's page shows while its players gather.
 * @param {Game} game
 * @param {Say} say   says a wish
 * @param {import("../base/socket.js").TableSocket} socket   greets anew when the server should know who we are
 */
export function lobby(game, say, socket) {
  if (ui.table !== game.table) arrive(game);
  settle(game, say);
  if (ui.lesson !== "none") return lesson(game);
  return h(
    "div",
    { class: "page lobby raked", key: "lobby" },
    h(
      "div",
      { class: "in" },
      h(
        "header",
        { class: "top" },
        homeLink(),
        h("h1", { class: "grow" }, headline(game)),
        iconButton("gear", t("page.settings"), () => go("/settings")),
      ),
      mySeat(game) === null && invitation(game, newcomer(game, say, socket)),
      h(
        "main",
        { class: "gathering" },
        h(
          "div",
          { class: "stack" },
          mySeat(game) !== null && h("p", { class: "terms" }, terms(game)),
          roundTable(game, ui.chosen, (seat) => actAt(game, seat, say, socket)),
          seatPanel(game, say),
          watchers(game),
          viewport.side && meanwhile(game),
        ),
        h(
          "div",
          { class: "stack" },
          invite(game.table),
          !viewport.side && meanwhile(game),
          doors(game, say),
          anotherDevice(),
        ),
        begin(game, say),
      ),
    ),
  );
}

/**
 * What it is that one is invited to: in a sentence, by which terms, and as it goes.
 * @param {Game} game @param {Inner} entry
 */
function invitation(game, entry) {
  return h(
    "section",
    { class: "box invitation", key: "invitation", "aria-labelledby": "game" },
    h(
      "div",
      { class: "pitch" },
      h("h2", { id: "game" }, t("page.title")),
      h("p", null, t("page.pitch")),
      h("p", { class: "terms" }, terms(game)),
    ),
    demonstrations()?.demonstration(game.chairs.length),
    entry,
    button(t("page.wait_learn"), learn, { class: "lesson" }),
  );
}

/** For those who sit and wait, and may not know the game yet. @param {Game} game */
function meanwhile(game) {
  if (mySeat(game) === null || stored.learnt) return null;
  return h(
    "section",
    { class: "box stack meanwhile", key: "meanwhile" },
    h("h2", null, t("page.wait")),
    demonstrations()?.demonstration(game.chairs.length),
    button(t("page.wait_learn"), learn),
    h("p", { class: "quiet" }, t("page.wait_hint")),
  );
}

/** A lesson in the place of the lobby: the seat stays, and whoever starts the match is heard. @param {Game} game */
function lesson(game) {
  const back = () => stopLearning(game);
  const lessons = tutorial();
  if (!lessons)
    return h(
      "main",
      { class: "page", key: "coming" },
      h("p", { class: "quiet", role: "status" }, t("page.loading")),
      button(t("page.to_table"), back),
    );
  if (ui.lesson === "wanted") lessons.learnMeanwhile(back);
  ui.lesson = "open";
  return lessons.page.view();
}

function learn() {
  ui.lesson = "wanted";
  draw();
}

/** The lobby again, or the match that has begun, with the cards of this table. @param {Game} game */
export function stopLearning(game) {
  if (ui.lesson === "none") return;
  ui.lesson = "none";
  tutorial()?.page.leave?.();
  void loadArt(game.highest).then(draw);
  draw();
}

/** After a render: whether it was of a lesson. */
export function drawnLesson() {
  if (ui.lesson === "open") tutorial()?.page.drawn?.();
  return ui.lesson === "open";
}

/** Who may sit down, and who may watch. @param {Game} game @param {Say} say */
function doors(game, say) {
  if (!amHost(game)) return null;
  if (!amOwner(game))
    return h("p", { class: "quiet acting" }, t("page.acting", { name: game.names[game.owner] ?? "?" }));
  return h(
    "section",
    { class: "box" },
    toggle(t("page.lock"), t("page.lock_hint"), game.locked, (locked) => say({ type: "lock", locked })),
    toggle(t("page.watch_on"), t("page.watch_hint"), game.watched, (allowed) => say({ type: "letwatch", allowed })),
    // whoever sits down agrees to it, so not after that
    offer.study &&
      game.chairs.every(({ player }) => !isPerson(player) || player === game.you) &&
      toggle(t("page.hints"), t("page.hints_hint"), game.hints, (allowed) => say({ type: "allowhints", allowed })),
  );
}

/** @param {Game} game */
function arrive(game) {
  ui = { ...fresh(), table: game.table };
  hideDevice();
  learnOffer();
  remember().then(() => {
    ui.name ||= stored.name ?? "";
    draw();
  }, whatFailed);
}

/**
 * Says what had to wait for the server: until it knew us, or until a seat was free.
 * @param {Game} game
 * @param {Say} say
 */
function settle(game, say) {
  const { later } = ui;
  if (!later?.fits(game)) return;
  ui.later = null;
  queueMicrotask(() => say(later.wish));
}

/** @param {Game} game */
function headline(game) {
  if (amOwner(game)) return t("page.lobby_mine");
  const name = game.names[game.chairs.some((chair) => chair.player === game.owner) ? game.owner : game.host];
  return name ? t("page.lobby_of", { name }) : t("page.lobby");
}

/** By which rules and in how much time. @param {Game} game */
function terms(game) {
  const [preset] = game.rules.split(" ");
  return [
    t(`page.preset.${preset}`),
    game.most > 1 && t("page.deals", { count: game.most }),
    game.target !== null && t("page.until", { points: game.target }),
    game.turnSeconds !== null && t("page.lobby_time", { time: timeName(String(game.turnSeconds)) }),
    game.hints && t("page.with_hints"),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * What a tap on a seat does.
 * @param {Game} game
 * @param {number} seat
 * @param {Say} say
 * @param {import("../base/socket.js").TableSocket} socket
 */
function actAt(game, seat, say, socket) {
  const { player } = game.chairs[seat];
  const open = () => {
    ui.chosen = ui.chosen === seat ? null : seat;
    ui.sending = false;
    draw();
    requestAnimationFrame(() => document.querySelector(".seat-panel")?.scrollIntoView({ block: "nearest" }));
  };
  if (mySeat(game) === null) return player ? null : () => sit(game, seat, say, socket);
  return player === game.you || (isPerson(player) ? amOwner(game) : amHost(game)) ? open : null;
}

/**
 * Takes a seat, once the server knows by which name.
 * @param {Game} game
 * @param {number} seat
 * @param {Say} say
 * @param {import("../base/socket.js").TableSocket} socket
 */
async function sit(game, seat, say, socket) {
  const name = ui.name.trim();
  if (!name) return document.getElementById("name")?.focus();
  if (ui.busy) return;
  Object.assign(ui, { busy: true, failed: "" });
  try {
    await become(name);
    if (game.you) say({ type: "sit", seat });
    else {
      ui.later = { wish: { type: "sit", seat }, fits: ({ you, chairs }) => you !== null && !chairs[seat].player };
      socket.connect();
    }
  } catch (refused) {
    ui.failed = whatFailed(refused);
  }
  ui.busy = false;
  draw();
}

/**
 * Who has just opened the link says a name, and sits down.
 * @param {Game} game
 * @param {Say} say
 * @param {import("../base/socket.js").TableSocket} socket
 */
function newcomer(game, say, socket) {
  if (game.sentAway) return h("section", { class: "box", key: "newcomer" }, sentAway(game));
  const seat = game.chairs.findIndex((chair) => !chair.player);
  if (seat < 0) return h("section", { class: "box", key: "newcomer" }, t("page.lobby_full"));
  if (game.locked) return h("section", { class: "box", key: "newcomer" }, t("page.lobby_locked"));
  return form(
    { class: "box stack newcomer", key: "newcomer" },
    () => sit(game, seat, say, socket),
    h("h2", null, t("page.lobby_welcome")),
    nameField("name", t("page.name"), ui.name, (name) => (ui.name = name), { required: true }),
    ui.failed && trouble(ui.failed),
    h("button", { type: "submit", class: "btn act big", disabled: ui.busy }, t("page.sit")),
  );
}

/** What can be done about the seat that was tapped. @param {Game} game @param {Say} say */
function seatPanel(game, say) {
  const seat = ui.chosen;
  if (seat === null) return null;
  const { player } = game.chairs[seat];
  const isHost = amHost(game);
  const inner = !player
    ? isHost && emptySeat(seat, say)
    : player === game.you
      ? mine(game, say)
      : isPerson(player)
        ? amOwner(game) && somebody(game, player, say)
        : isHost && bot(seat, botOf(player) ?? "", say);
  if (!inner) return null;
  return h(
    "section",
    { class: "box stack seat-panel", key: `seat ${seat} ${player}` },
    h("h2", null, player ? titleOf(game, seat) : t("page.bot_here")),
    inner,
  );
}

/** The focus goes back to the seat. */
function close() {
  const seat = ui.chosen ?? 0;
  ui.chosen = null;
  draw();
  requestAnimationFrame(() =>
    /** @type {HTMLElement | undefined} */ (document.querySelectorAll(".round li > *")[seat])?.focus(),
  );
}

/** @param {number} seat @param {Say} say */
function emptySeat(seat, say) {
  const place = () => {
    say({ type: "placebot", seat, bot: levelFor(stored.last.bot) });
    close();
  };
  return [
    botPicker(t("page.bots"), levelFor(stored.last.bot), prefer),
    button(t("page.place_bot"), place, { class: "act" }),
  ];
}

/** @param {string} bot */
function prefer(bot) {
  stored.last.bot = bot;
  keep();
  draw();
}

/** @param {number} seat @param {string} placed @param {Say} say */
function bot(seat, placed, say) {
  /** @param {string} other */
  const change = (other) => {
    if (other === placed) return;
    prefer(other);
    ui.later = { wish: { type: "placebot", seat, bot: other }, fits: ({ chairs }) => !chairs[seat].player };
    say({ type: "free", seat });
  };
  const free = () => {
    say({ type: "free", seat });
    close();
  };
  return [botPicker(t("page.bots"), placed, change), button(t("page.free"), free)];
}

/** @param {Game} game @param {Say} say */
function mine(game, say) {
  const choose = async (/** @type {import("../ui/stone_picker.js").Stone} */ stone) => {
    try {
      await chooseStone(stone); // which everyone is told, and we too
    } catch (refused) {
      ui.failed = whatFailed(refused);
      draw();
    }
  };
  const rename = async () => {
    try {
      await become(ui.name.trim() || stored.name || t("page.guest"));
      close();
    } catch (refused) {
      ui.failed = isUnknown(refused) ? "" : whatFailed(refused);
      draw();
    }
  };
  const leave = () => {
    say({ type: "leave" });
    close();
  };
  return [
    form(
      { class: "with-button" },
      rename,
      nameField("name", t("page.name"), ui.name, (name) => (ui.name = name)),
      h("button", { type: "submit", class: "btn" }, t("page.save")),
    ),
    stonePicker(game.stones[game.you ?? ""] ?? null, choose),
    ui.failed && trouble(ui.failed),
    button(t("page.leave_seat"), leave),
  ];
}

/** @param {Game} game @param {string} person @param {Say} say */
function somebody(game, person, say) {
  const name = game.names[person] ?? "?";
  const ask = () => {
    ui.sending = true;
    draw();
  };
  const send = () => {
    say({ type: "remove", person });
    close();
  };
  if (!ui.sending) return button(t("page.send_away", { name }), ask);
  return [
    h("p", null, t("page.send_away_sure", { name })),
    h(
      "p",
      { class: "acts" },
      button(t("page.no"), close, { focus: true }),
      button(t("page.send_away", { name }), send, { class: "act" }),
    ),
  ];
}

/** @param {Game} game */
function watchers(game) {
  const seated = new Set(game.chairs.map((chair) => chair.player));
  const names = [...game.present]
    .filter((person) => !seated.has(person) && person !== game.you)
    .map((person) => game.names[person] ?? "?");
  const me = mySeat(game) === null ? 1 : 0;
  const others = game.spectators - names.length - me;
  return [
    names.length > 0 &&
      h("p", { class: "quiet watchers", key: "names" }, t("page.also_here", { who: names.join(", ") })),
    others > 0 && h("p", { class: "quiet watchers", key: "number" }, t("page.watching", { count: others })),
  ];
}

/** @param {Game} game @param {Say} say */
function begin(game, say) {
  const open = game.chairs.filter((chair) => !chair.player).length;
  if (!amHost(game))
    return (
      mySeat(game) !== null &&
      h(
        "div",
        { class: "begin" },
        h(
          "p",
          { role: "status" },
          game.chairs.every((chair) => chair.player)
            ? t("page.lobby_ready")
            : t("page.lobby_wait", { name: game.names[game.host] ?? "?" }),
        ),
      )
    );
  const start = () => say({ type: "start", fill: botsFor(stored.last.bot, open) });
  return h(
    "div",
    { class: "begin" },
    h(
      "p",
      { role: "status" },
      open ? t("page.lobby_missing", { count: open, bot: botName(mixFor(stored.last.bot)) }) : t("page.lobby_ready"),
    ),
    button(t(open ? "page.start_fill" : "page.start"), start, { class: "act big" }),
  );
}
