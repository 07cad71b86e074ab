// The table: one session, what of it is picked or opened, and the picture of both.

import { COLOURS, cards } from "../base/cards.js";
import { forgetAll, h } from "../base/dom.js";
import { draw, go, input, part, WHEN_WANTED } from "../base/router.js";
import { keep, stored } from "../base/storage.js";
import { capital, loadTexts, refusal, rich, t } from "../base/texts.js";
import { viewport } from "../base/viewport.js";
import { unreachable } from "../pages/offline.js";
import { learnOffer } from "../ui/bots.js";
import { nowhere } from "../ui/empty_states.js";
import { homeLink } from "../ui/frame.js";
import { chip, iconButton, loadArt } from "../ui/pieces.js";
import { Patience } from "./auto_play.js";
import {
  dialog,
  keysDialog,
  menuDialog,
  pointsDialog,
  radarDialog,
  story,
  sureDialog,
  trickDialog,
} from "./dialogs.js";
import { bubbleButton, canTalk, emotesDialog, isWanted, loadFaces, saidLine } from "./emotes.js";
import { amHost, dealOf, isDoubted, isSolo, myChair, myHand, mySeat, nameOf, playsOf } from "./game.js";
import { follow, shake } from "./motion.js";
import * as people from "./people.js";
import { ledger, panel, radar, timeLeft } from "./piles.js";
import { announce, answer, forgetVoice, voice } from "./screen_reader.js";
import { Session, sound } from "./session.js";
import { trickRow } from "./trick.js";
import { canHaveHint, narrate, rowsOf, slotsOf, tableHand } from "./view_model.js";

/**
 * @typedef {import("../base/dom.js").Inner} Inner
 * @typedef {{ card: string, why: Inner }} Refused  the card that can't be played
 * @typedef {object} Ui
 * @property {string | null} pick      the card that is picked, and previewed
 * @property {string | null} hover     the card that is looked at, where a tap plays
 * @property {string | null} focus
 * @property {Refused | null} refused
 * @property {string | null} dialog     which dialog is open
 * @property {number} trick            which trick the dialog shows
 * @property {number} seat             whose points
 * @property {boolean} piles           the piles are looked at between deals
 * @property {Inner} toast
 * @property {Map<number, { emote: string }>} said
 * @property {string | null} gone      why there is no table
 */

const lobbies = part(() => import("./lobby.js"), ["table/lobby.css"]);
const endings = part(() => import("./ending.js"), ["replay/replay.css", "ui/chart.css", "table/ending.css"]);
const rules = part(() => import("../pages/rules.js"));
const settings = part(() => import("../pages/settings.js"));
const watchers = part(() => import("./spectator.js"));
const hints = part(
  async () => (await Promise.all([import("../study/hint.js"), loadTexts("study.")]))[0],
  ["ui/marks.css", "study/reasons.css"],
  WHEN_WANTED,
);

/** @type {Session | null} */
let session = null;
/** @type {Ui} */
let ui = fresh();
/** @type {Element | null} what had the focus before a dialog was opened */
let opener = null;
/** Whether a step back is on its way that closes a dialog. */
let stepping = false;
const SAID = 3500;
let toastTimer = 0;
let ticking = 0;
let forcing = 0;
let drawnHighest = 0;
const patience = new Patience();

/** @returns {Ui} */
function fresh() {
  return {
    pick: null,
    hover: null,
    focus: null,
    refused: null,
    dialog: null,
    trick: 0,
    seat: 0,
    piles: false,
    toast: null,
    said: new Map(),
    gone: null,
  };
}

/** @param {Inner} text @param {number} [stay] */
function toast(text, stay = 4000) {
  ui.toast = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    ui.toast = null;
    draw();
  }, stay);
  draw();
}

/** @param {string} table */
function open(table) {
  ui = fresh();
  forgetVoice();
  learnOffer();
  session = new Session(table, {
    changed,
    refused: (reason, values, card) => {
      if (reason === "stale") return draw();
      ui.pick = null;
      if (card) {
        ui.refused = { card, why: whyNot(reason, spoken(values)) };
        queueMicrotask(() => shake(card));
      } else toast(capital(refusal(reason, spoken(values))));
      draw();
    },
    said,
    news,
    moved: (table) => go(`/t/${table}`, { replace: true }),
    gone: (reason, values) => {
      ui.gone = capital(refusal(reason, values));
      draw();
    },
  });
}

/** Somebody says something, for a while. @param {number} seat @param {string} emote */
async function said(seat, emote) {
  const before = session;
  if (!before || !isWanted(before.game, seat, emote)) return;
  await loadFaces();
  if (session !== before) return;
  if (!document.querySelector(`.faced[data-seat="${seat}"]`) || document.querySelector(".between"))
    return toast(saidLine(before.game, seat, emote), SAID);
  const one = { emote };
  ui.said.set(seat, one);
  setTimeout(() => {
    if (ui.said.get(seat) === one) ui.said.delete(seat);
    draw();
  }, SAID);
  draw();
}

/** Who comes, goes, and is missed. @param {import("../base/protocol").AnyEvent} event */
function news(event) {
  if (!session) return;
  const { game } = session;
  const told = people.news(game, event);
  if (told) toast(told, event.type === "cameback" ? 12_000 : 4000);
  if ((event.type !== "asked" && event.type !== "stoodin") || event.seat !== mySeat(game)) return;
  sound()?.asked();
  if (event.type === "asked") announce(people.question(game));
}

/** A refusal's arguments as people say them. @param {import("./session.js").Values} values */
function spoken(values) {
  return values.colour ? { ...values, colour: t(`colour.${values.colour}`) } : values;
}

/**
 * Why a card can't be played, with the cards that can.
 * @param {import("../base/protocol").Reason} reason
 * @param {import("./session.js").Values} values
 */
function whyNot(reason, values) {
  if (reason !== "must_follow") return refusal(reason, values);
  const legal = cards(String(values.legal)).flatMap((card) => [chip(card), " "]);
  return rich("page.refused.must_follow", { colour: String(values.colour), legal });
}

function changed() {
  if (!session) return;
  const { game } = session;
  if (game.highest !== drawnHighest && game.chairs.length) {
    drawnHighest = game.highest;
    void loadArt(game.highest).then(() => {
      forgetAll();
      draw();
    });
  }
  if (game.phase !== "gathering") lobbies()?.stopLearning(game); // the others wait
  const full = game.chairs.length > 0 && game.chairs.every((chair) => chair.player);
  if (game.phase === "gathering" && full && amHost(game) && isSolo(game) && !session.started) {
    session.started = session.wish({ type: "start" });
  }
  const table =
    mySeat(game) !== null && game.phase !== "over"
      ? game.table
      : stored.table === game.table
        ? undefined
        : stored.table;
  if (stored.table !== table) {
    stored.table = table;
    keep();
  }
  if (!session.canPlay) ui.pick = ui.hover = ui.refused = null;
  force(session);
  clearInterval(ticking);
  if (myChair(game)?.isAsked || (game.phase === "playing" && !isSolo(game) && (game.turnSeconds || amHost(game))))
    ticking = setInterval(draw, 1000);
  draw();
}

/**
 * A card without an alternative plays itself: at once if nobody else is there, else when a choice would be made.
 * @param {Session} session
 */
function force(session) {
  clearTimeout(forcing);
  const { game } = session;
  if (!session.canPlay || !game.turn) return;
  patience.see(`${game.table} ${game.turn.seq}`, Date.now());
  // of somebody who is doubted a card would say that they are there
  if (!stored.settings.forced || game.turn.choices.length !== 1 || isDoubted(game)) return;
  const most = game.turnSeconds === null ? Infinity : 500 * game.turnSeconds;
  const wait = isSolo(game) && !game.spectators ? 0 : patience.left(Date.now(), most);
  if (wait) forcing = setTimeout(changed, wait);
  else session.play(game.turn.choices[0].card);
}

/** Who alone has had cards here can take them back, until the match is over. @param {import("./game.js").Game} game */
const canTakeBack = (game) => game.solo && game.phase !== "over";

/** What to play now, where there is a choice. @param {import("./game.js").Game} game */
function askHint(game) {
  if (!session?.canPlay || !canHaveHint(game)) return;
  ui.pick = ui.hover = ui.refused = null;
  hints();
  session.wish({ type: "hint" });
  draw();
}

/** Where the focus goes when a card leaves. @param {string[]} cards @param {string} card */
function neighbour(cards, card) {
  const place = cards.indexOf(card);
  return cards[place + 1] ?? cards[place - 1] ?? null;
}

/**
 * Whoever touches their cards while a bot plays for them is there; to play one says so by itself.
 * @param {Session} session @param {string} card
 */
function takesOver({ game, canPlay }, card) {
  const plays = canPlay && !stored.settings.confirm && game.turn?.choices.some((choice) => choice.card === card);
  return Boolean(myChair(game)?.standIn) && !plays;
}

/** @param {string} card */
function tap(card) {
  if (!session) return;
  const { game } = session;
  ui.refused = null;
  if (takesOver(session, card)) session.wish({ type: "back" });
  if (session.held) return session.release();
  if (!session.canPlay) {
    ui.pick = ui.pick === card ? null : card;
    return draw();
  }
  const legal = game.turn?.choices.some((choice) => choice.card === card);
  if (legal && stored.settings.confirm && ui.pick !== card) {
    ui.pick = card;
    return draw();
  }
  ui.pick = ui.hover = null;
  if (legal) ui.focus = neighbour(myHand(game), card);
  if (legal && game.turn && game.turn.choices.length > 1) patience.chose(Date.now());
  session.play(card); // an illegal one too: the server says why not
}

/** Whether the piles are looked at, between deals and after the match. @param {boolean} wish */
function lookAtPiles(wish) {
  ui.piles = wish;
  draw();
}

/** An open dialog is a step of the browser's history, so that Back closes it. */
function closeDialog() {
  shut();
  if (!history.state?.dialog || stepping) return;
  stepping = true;
  history.back();
}

/** A step back, by the browser's button or by `closeDialog`; meanwhile another dialog may have been opened. */
function back() {
  if (!stepping && ui.dialog) shut();
  stepping = false;
  if (ui.dialog) history.pushState({ dialog: true }, "");
}

function shut() {
  const before = ui.dialog;
  ui.dialog = null;
  draw();
  queueMicrotask(() => {
    const back =
      opener?.isConnected && opener !== document.body ? opener : document.querySelector(`[data-opens="${before}"]`);
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  });
}

/** @param {string} name @param {Partial<Ui>} [more] */
function openDialog(name, more = {}) {
  if (!ui.dialog) opener = document.activeElement;
  if (!history.state?.dialog && !stepping) history.pushState({ dialog: true }, "");
  Object.assign(ui, more, { dialog: name });
  draw();
}

/**
 * Keys of one letter: what they do, and how that is called.
 * @param {import("./game.js").Game} game
 * @returns {[string, string, () => void][]}
 */
function letters(game) {
  const say = (/** @type {Parameters<typeof answer>[1]} */ what) => {
    answer(game, what);
    draw();
  };
  const trick = (dealOf(game)?.tricks.length ?? 0) - 1;
  return [
    ["r", t("page.radar"), () => openDialog("radar")],
    ["l", t("page.last_trick"), () => openDialog("last", { trick })],
    ["p", t("page.people"), () => openDialog("people")],
    ["i", t("page.rules"), () => openDialog("rules")],
    ["s", t("page.settings"), () => openDialog("settings")],
    ["u", t("page.undo"), () => canTakeBack(game) && session?.wish({ type: "undo" })],
    ["a", t("page.hint"), () => askHint(game)],
    ["e", t("page.emotes"), () => canTalk(game) && openEmotes()],
    ["h", t("page.voice_hand"), () => say("hand")],
    ["t", t("page.voice_trick"), () => say("trick")],
    ["b", t("page.voice_piles"), () => say("piles")],
    ["?", t("page.shortcuts"), () => openDialog("keys")],
  ];
}

/** All keys, in words. @param {import("./game.js").Game} game @returns {[string, string][]} */
const keys = (game) => [
  ["← →", t("page.key_arrows")],
  ["↵", t("page.key_enter")],
  ["Esc", t("page.key_escape")],
  ...letters(game).map(([letter, what]) => /** @type {[string, string]} */ ([letter, what])),
];

function openEmotes() {
  openDialog("emotes");
  void loadFaces().then(draw);
}

/** Says something, where there is no bar: while people gather, and when the match is over. @param {Session} session */
function talk(session) {
  if (!canTalk(session.game)) return null;
  return [bubbleButton(openEmotes, "talk"), ui.dialog === "emotes" && sayDialog(session)];
}

/** @param {Session} session */
const sayDialog = (session) =>
  emotesDialog((emote) => {
    session.emote(emote);
    closeDialog();
  }, closeDialog);

/** @param {KeyboardEvent} event */
function key(event) {
  if (ui.dialog && event.key === "Escape") return closeDialog(); // wherever the focus is
  if (!session || !stored.settings.shortcuts || ui.dialog || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  const { game } = session;
  if (!document.querySelector("main.table")) return;
  const acts = /** @type {Record<string, () => void>} */ ({
    ...Object.fromEntries(letters(game).map(([letter, , act]) => [letter, act])),
    Escape: () => {
      ui.pick = ui.refused = null;
      draw();
    },
    " ": () => session?.release(),
    Enter: () => session?.release(),
  });
  const waiting = event.key === " " || event.key === "Enter";
  const elsewhere =
    event.target instanceof Element && event.target.closest("button, a") && !event.target.closest(".hand, [data-act]");
  if (waiting && (!session.held || elsewhere)) return;
  if (!(event.key in acts)) return;
  event.preventDefault();
  acts[event.key]();
}

/** @returns {Inner} */
function view() {
  if (ui.gone) return nowhere(ui.gone);
  if (!session) return waiting(t("page.connecting"));
  const { game, socket } = session;
  if (game.phase === "loading")
    return socket.status === "lost" ? unreachable(() => socket.connect()) : waiting(t("page.connecting"));
  if (session.started && !dealOf(game) && game.phase !== "over") return [waiting(t("page.shuffling")), toasts()];
  const wish = (/** @type {import("./session.js").Wish} */ one) => session?.wish(one);
  if (game.phase === "gathering" && !session.started)
    return [lobbies()?.lobby(game, wish, socket) ?? waiting(t("page.connecting")), talk(session), toasts()];
  if (game.phase === "over" && !session.held && !session.landing && !ui.piles) {
    const again = () => (game.rematch ? go(`/t/${game.rematch}`) : wish({ type: "playagain" }));
    const acts = {
      rematch: again,
      home: () => go("/"),
      replay: () => go(`/replay/${game.table}`),
      piles: () => lookAtPiles(true),
    };
    return [endings()?.ending(game, acts) ?? waiting(t("page.deal_over")), talk(session), toasts()];
  }
  return tableView(session);
}

/** @param {string} what */
function waiting(what) {
  return h(
    "main",
    { class: "table raked", "aria-busy": "true" },
    h("header", { class: "bar" }, homeLink()),
    h("p", { class: "loading", role: "status" }, what),
  );
}

function toasts() {
  const status = session?.socket.status;
  if (status === "lost")
    return h("div", { class: "toast", role: "status" }, h("i", { class: "spin" }), t("page.reconnecting"));
  if (session && !session.game.saving)
    return h("div", { class: "toast", role: "status" }, h("i", { class: "spin" }), t("page.not_saving"));
  return ui.toast && h("div", { class: "toast", role: "status", on: { click: () => toast(null) } }, ui.toast);
}

/** @param {Session} session @returns {Inner} */
function tableView(session) {
  const { game } = session;
  const deal = dealOf(game);
  const name = (/** @type {number} */ seat) => nameOf(game, seat, t);
  const preview = session.canPlay
    ? (game.turn?.choices.find((choice) => choice.card === (ui.pick ?? ui.hover)) ?? null)
    : null;
  const rows = rowsOf(session, preview, name, (seat) => openDialog("points", { seat }), ui.said);
  const me = rows.find((row) => row.me);
  const others = rows.filter((row) => !row.me);
  const led = session.held ? session.held.plays[0].card[0] : (deal?.table[0]?.card[0] ?? null);
  const trickNumber = (deal?.tricks.length ?? 0) + (session.held || game.phase !== "playing" ? 0 : 1);
  const tricks = Math.max(0, ...(deal?.hands.map((cards) => cards.length) ?? []));
  const bits = cairnRoom(game.chairs.length, others.length);
  const undoable =
    canTakeBack(game) && deal && mySeat(game) !== null && playsOf(deal).some((play) => play.by === "person");
  return h(
    "main",
    { class: `table raked p${game.chairs.length}`, style: { "--n": String(game.chairs.length) } },
    h(
      "header",
      { class: "bar" },
      homeLink(),
      h(
        "h1",
        { class: "where" },
        t("page.trick_number", { number: trickNumber }),
        h(
          "small",
          null,
          h("span", { class: "long" }, tricks ? t("page.of_tricks", { count: tricks }) : ""),
          " · ",
          t("page.deal_of", { deal: deal?.deal ?? 1, deals: game.most }),
        ),
      ),
      undoable && iconButton("undo", t("page.undo"), () => session.wish({ type: "undo" })),
      iconButton("last", t("page.last_trick"), () => openDialog("last", { trick: (deal?.tricks.length ?? 0) - 1 }), {
        "data-opens": "last",
      }),
      canTalk(game) && bubbleButton(openEmotes),
      iconButton("radar", t("page.radar"), () => openDialog("radar"), { "data-opens": "radar", class: "only-narrow" }),
      iconButton("people", t("page.people"), () => openDialog("people"), {
        "data-opens": "people",
        class: "only-roomy",
      }),
      iconButton("help", t("page.rules"), () => openDialog("rules"), { "data-opens": "rules", class: "only-roomy" }),
      iconButton("gear", t("page.settings"), () => openDialog("settings"), {
        "data-opens": "settings",
        class: "only-roomy",
      }),
      iconButton("menu", t("page.menu"), () => openDialog("menu"), { "data-opens": "menu", class: "only-tight" }),
    ),
    ledger(rows, led),
    viewport.panels &&
      h(
        "section",
        { class: "others", key: "others", style: { "--n": String(others.length + 1) }, "aria-label": t("page.piles") },
        others.map((row) => panel(row, game.highest, bits)),
      ),
    trickRow(slotsOf(session, preview, name)),
    narrate(session, preview, ui.refused, name, {
      play: () => ui.pick && tap(ui.pick),
      goOn: () => session.release(),
      wish: (one) => session.wish(one),
      hint: () => askHint(game),
      advice: game.advice ? (hints()?.advice(game.advice, name) ?? null) : null,
      back: ui.piles ? () => lookAtPiles(false) : null,
    }),
    h(
      "div",
      { class: "bottom", style: timeLeft(me?.clock) },
      h("section", { class: "mine" }, me && viewport.panels && panel(me, game.highest, bits)),
      mySeat(game) === null ? watchers()?.watching(session) : tableHand(session, ui, { tap, draw }),
    ),
    viewport.side &&
      h(
        "aside",
        { class: "side", key: "side", "aria-label": t("page.aside") },
        h(
          "section",
          { class: "radar" },
          h("h2", null, t("page.radar"), h("small", null, t("page.radar_what"))),
          radar(rows),
        ),
        h(
          "section",
          null,
          h(
            "h2",
            null,
            t("page.match"),
            h("small", null, t("page.deal_of", { deal: deal?.deal ?? 1, deals: game.most })),
          ),
          bars(rows),
        ),
        h(
          "section",
          { tabindex: "0", "aria-label": t("page.story") },
          h("h2", null, t("page.story")),
          deal?.tricks.length
            ? story(deal.tricks, name, mySeat(game))
            : h("p", { class: "quiet" }, t("page.no_trick_yet")),
        ),
      ),
    toasts(),
    openedDialog(session, rows, name),
    voice(game, draw),
  );
}

/** @param {import("./piles.js").Row[]} rows */
function bars(rows) {
  const total = (/** @type {import("./piles.js").Row} */ row) => row.total ?? row.score;
  const most = Math.max(1, ...rows.map(total));
  const share = (/** @type {number} */ points) => `${(90 * points) / most}%`;
  return h(
    "ul",
    { class: "bars" },
    [...rows]
      .sort((one, other) => total(other) - total(one))
      .map((row) =>
        h(
          "li",
          { key: row.seat },
          h("span", { class: "name" }, row.name),
          h(
            "span",
            { class: "b", "aria-hidden": "true" },
            h("i", { style: { width: share(total(row) - row.score) } }),
            h("i", { style: { width: share(row.score) } }),
          ),
          h("span", { class: "n" }, total(row)),
        ),
      ),
  );
}

/** How many bits of rubble a pile has room for, in two courses. @param {number} players @param {number} panels */
function cairnRoom(players, panels) {
  const { wide, high } = viewport;
  if (panels < players && players === 6 && wide < 1250 && (wide >= 1100 || high < 901)) return 3;
  const side = viewport.side ? Math.min(420, Math.max(304, 0.27 * wide)) : 0;
  const abreast = (panels > 4 && !viewport.side) || (panels > 5 && wide < 1600) ? 3 : panels;
  return ((wide - side) / abreast - 40) / COLOURS.length < 43 ? 4 : 6;
}

/**
 * @param {Session} session
 * @param {import("./piles.js").Row[]} rows
 * @param {(seat: number) => string} name
 * @returns {Inner}
 */
function openedDialog(session, rows, name) {
  const { game } = session;
  const wish = (/** @type {import("./session.js").Wish} */ one) => void session.wish(one);
  if (myChair(game)?.isAsked) return people.asked(game, () => wish({ type: "back" }));
  const tricks = dealOf(game)?.tricks ?? [];
  const row = rows.find((one) => one.seat === ui.seat);
  switch (ui.dialog) {
    case "points":
      return row && pointsDialog(row, closeDialog, people.tools(game, ui.seat, wish));
    case "radar":
      return radarDialog(rows, closeDialog);
    case "last":
      return trickDialog(
        tricks,
        Math.min(ui.trick, tricks.length - 1),
        name,
        (trick) => openDialog("last", { trick }),
        closeDialog,
      );
    case "emotes":
      return canTalk(game) && sayDialog(session);
    case "people":
      return people.peopleDialog(game, {
        wish,
        close: closeDialog,
        open: openDialog,
      });
    case "remove":
      return people.removeDialog(game, ui.seat, wish, closeDialog);
    case "end":
      return sureDialog(
        t("page.end_match"),
        t("page.end_match_sure"),
        () => {
          session.wish({ type: "end" });
          closeDialog();
        },
        closeDialog,
      );
    case "leave":
      return sureDialog(
        t("page.leave_table"),
        t("page.leave_sure"),
        () => {
          session.wish({ type: "leave" });
          go("/");
        },
        closeDialog,
      );
    case "menu":
      return menuDialog((name) => openDialog(name), closeDialog);
    case "keys":
      return keysDialog(keys(game), closeDialog);
    case "rules":
      return dialog("rules", t("page.rules"), closeDialog, rules()?.rulesView());
    case "settings":
      return dialog("settings", t("page.settings"), closeDialog, settings()?.settingsForm());
  }
  if (game.phase !== "scores" || session.held || session.landing || ui.piles) return null;
  return endings()?.between(game, {
    goOn: () => wish({ type: "goon" }),
    back: () => wish({ type: "back" }),
    piles: () => lookAtPiles(true),
    again: () => wish({ type: "dealagain" }),
  });
}

function keepFocus() {
  if (!input.byKeyboard || document.activeElement !== document.body) return;
  const next =
    document.querySelector(".dialog") ??
    document.querySelector("[data-act]") ??
    document.querySelector(".hand [tabindex='0']");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

addEventListener("resize", () => session && draw());
addEventListener("keydown", key);

/** @type {import("../base/router.js").Page} */
export const page = {
  enter: open,
  leave: () => {
    clearInterval(ticking);
    clearTimeout(forcing);
    session?.stop();
    session = null;
  },
  back,
  view,
  title: () => {
    if (!session) return "";
    if (myChair(session.game)?.isAsked) return `● ${t("page.ask")}`;
    if (myChair(session.game)?.standIn) return `● ${t("page.stood_in")}`;
    return session.canPlay ? `● ${t("page.your_turn")}` : t("page.table");
  },
  drawn: () => {
    if (!session || lobbies()?.drawnLesson()) return;
    follow(session.game.highest, session.jumped);
    session.jumped = false;
    keepFocus();
    if (session.game.phase === "playing") ui.piles = false;
  },
};
