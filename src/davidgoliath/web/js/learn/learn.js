// The tutorial: seven lessons, one card to play in each. The pebble explains, and says what came of it. What came of it
// was worked out by the server, so that there is no rule of the game here either.

import { asset } from "../base/address.js";
import { h } from "../base/dom.js";
import { tableOfMine, whatFailed } from "../base/person.js";
import { draw, go } from "../base/router.js";
import { keep, stored, stretch } from "../base/storage.js";
import { rich, t } from "../base/texts.js";
import { hand } from "../table/hand.js";
import { follow, lift, shake } from "../table/motion.js";
import { learnOffer, levels } from "../ui/bots.js";
import { button, chip, iconButton, loadArt, stone } from "../ui/pieces.js";
import { nameOf, picture, takes, tell, trick, YOU } from "./lesson.js";

/** @typedef {import("./lesson.js").Lesson} Lesson @typedef {import("./lesson.js").Play} Play */

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** A short match with the weakest. */
const firstTable = () => ({ seats: [null, ...Array(3).fill(levels()[0])], rules: "single" });
/** The lesson in which a first tap only shows what a card would do. */
const PREVIEWED = "radar";
/** As at the table. */
const HINT = "a";
/** Milliseconds from card to card. */
const BEAT = 650;

/** @type {Lesson[]} */
let lessons = [];
let failed = "";
let busy = false;
let step = 0;
/** @type {Play | null} */
let play = null;
/** How many of its cards have fallen. */
let shown = 0;
/** @type {Play | null} */
let refused = null;
/** Whether it is shown what would be right. */
let hinted = false;
/** @type {string | null} */
let pick = null;
/** @type {string | null} */
let focus = null;
/** Whether the hand is to take the focus when it is drawn. */
let wanted = false;
let timer = 0;
/** Whether somebody is still here when all has been fetched. */
let here = false;
/** @type {(() => void) | null} the way back to the table, for whoever waits there and learns meanwhile */
let toTable = null;

/** Lessons for somebody who waits at a table. @param {() => void} back */
export function learnMeanwhile(back) {
  void page.enter?.("");
  toTable = back;
}

/** @type {import("../base/router.js").Page} */
export const page = {
  async enter() {
    here = true;
    addEventListener("keydown", key);
    toTable = null;
    begin(history.state?.step ?? 0);
    failed = "";
    busy = false;
    try {
      /** @type {Lesson[]} */
      const found = await (await fetch(asset("learn/lessons.json"))).json();
      if (!here) return;
      await loadArt(found[0].highest);
      lessons = found;
      if (!lessons[step]) begin(0);
    } catch {
      failed = t("page.offline");
    }
    draw();
  },
  leave: () => {
    here = false;
    removeEventListener("keydown", key);
    clearTimeout(timer);
  },
  title: () => t("learn.title"),
  view: () =>
    lessons.length
      ? lessonView(lessons[step])
      : h("main", { class: "learn raked", key: "learn" }, h("p", { class: "task" }, failed || t("page.loading"))),
  drawn() {
    if (!lessons.length) return;
    follow(lessons[step].highest, play === null);
    if (wanted) /** @type {HTMLElement | null} */ (document.querySelector(".learn .hand [tabindex='0']"))?.focus();
    wanted = false;
  },
};

/** A lesson from its start. @param {number} at */
function begin(at) {
  clearTimeout(timer);
  step = at;
  history.replaceState({ step }, ""); // here one is again after a reload
  play = refused = pick = focus = null;
  hinted = false;
  shown = 0;
}

/** @param {number} at */
function turnTo(at) {
  if (at < 0 || at >= lessons.length) return toTable ? toTable() : go("/");
  begin(at);
  wanted = true;
  draw();
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (event.key === HINT && stored.settings.shortcuts && !event.ctrlKey && !event.metaKey && !event.altKey) hint();
}

/** Shows a card that would be right, and why. */
function hint() {
  if (play || !lessons.length) return;
  hinted = true;
  pick = refused = null;
  wanted = true;
  draw();
}

/** A card that is right. @param {Lesson} lesson */
const rightOne = (lesson) => lesson.plays.find(({ right }) => right);

/** @param {string} card */
function tap(card) {
  if (waitsFor() === card) goOn();
  if (play) return;
  const chosen = lessons[step].plays.find((one) => one.card === card);
  if (!chosen) return;
  refused = chosen.refused ? chosen : null;
  if (refused) {
    pick = null;
    shake(card);
  } else if (lessons[step].id === PREVIEWED && pick !== card) pick = card;
  else drop(chosen);
  draw();
}

/** Plays a card, and lets the others fall behind it. @param {Play} chosen */
function drop(chosen) {
  lift(chosen.card);
  play = chosen;
  pick = null;
  shown = 1;
  wait();
}

/** The next trick, or the learner's card in it. */
function goOn() {
  const card = waitsFor();
  if (card) lift(card);
  shown += 1;
  wait();
  wanted = !isDone() && waitsFor() !== null;
  draw();
}

/** Lets cards fall until it is the learner's turn, or a trick is over: nobody misses who took it. */
function wait() {
  if (!play || isDone() || taken() || waitsFor()) return finish();
  const next = () => {
    shown += 1;
    wait();
  };
  if (still.matches || !stretch()) return next();
  timer = setTimeout(() => {
    next();
    draw();
  }, BEAT * stretch());
}

/** The trick that is over, before the next one. */
const taken = () => (play && !isDone() ? play.falls[shown - 1].taken : null);

/** The card that the learner is to play next, behind a first one. */
function waitsFor() {
  const next = play?.falls[shown];
  return next?.seat === YOU && !taken() ? next.card : null;
}

/** Whoever reaches the last aim has learnt it. */
function finish() {
  if (!isDone() || !play?.right || step < lessons.length - 1) return;
  stored.learnt = true;
  keep();
}

const isDone = () => play !== null && shown >= play.falls.length;

async function firstMatch() {
  if (busy) return;
  busy = true;
  failed = "";
  draw();
  try {
    await learnOffer();
    go(await tableOfMine(firstTable()));
  } catch (why) {
    busy = false;
    failed = whatFailed(why);
    draw();
  }
}

/** @param {Lesson} lesson */
function lessonView(lesson) {
  const done = isDone() ? play : null;
  const picked = pick ? (lesson.plays.find((one) => one.card === pick) ?? null) : null;
  const next = waitsFor();
  const fallen = play ? play.falls.slice(0, shown) : (picked?.falls.slice(0, 1) ?? []);
  return h(
    "main",
    { class: `learn raked at-${lesson.id}`, key: "learn", style: { "--n": lesson.piles.length } },
    head(lesson),
    coach(lesson, done, picked),
    h(
      "div",
      { class: "stage", key: `stage-${step}` },
      picture(lesson, done, taken()),
      trick(lesson, fallen, picked !== null),
    ),
    bar(lesson, done, picked),
    hand({
      cards: lesson.hand.filter(
        (card) => !play?.falls.slice(0, shown).some((fall) => fall.seat === YOU && fall.card === card),
      ),
      legal: next ? new Set([next]) : play ? null : new Set(lesson.legal),
      pick,
      focus,
      mine: play === null || next !== null,
      marks:
        hinted && !play
          ? new Map([[rightOne(lesson)?.card ?? "", { text: "★", says: t("page.hint"), kind: "best" }]])
          : undefined,
      tap,
      preview: () => {},
      unpreview: () => {},
      focused: (card) => {
        focus = card;
      },
    }),
  );
}

/** Where one is, back and on. @param {Lesson} lesson */
function head(lesson) {
  return h(
    "header",
    null,
    h(
      "div",
      { class: "top" },
      iconButton("back", t("learn.back"), () => turnTo(step - 1)),
      h("b", { class: "grow" }, t(`learn.${lesson.id}.name`)),
      button(t("learn.skip"), () => turnTo(step + 1), { class: "plain" }),
      toTable
        ? button(t("page.to_table"), toTable, { class: "act" })
        : iconButton("close", t("learn.leave"), () => go("/")),
    ),
    h(
      "div",
      { class: "steps", role: "img", "aria-label": t("learn.step", { step: step + 1, steps: lessons.length }) },
      lessons.map((one, at) =>
        h("i", {
          key: one.id,
          class: at < step || (at === step && isDone() && play?.right) ? "done" : at === step ? "cur" : "",
        }),
      ),
    ),
  );
}

/** The pebble says it. @param {Lesson} lesson @param {Play | null} done @param {Play | null} picked */
function coach(lesson, done, picked) {
  const mood = done ? (done.right ? "glad" : "sorry") : "";
  const right = hinted ? rightOne(lesson) : null;
  const [title, text] = done
    ? [t(done.right ? "learn.yes" : "learn.no"), tell(done.why, lesson, done)]
    : refused
      ? [t("learn.cant"), tell(refused.why, lesson, refused)]
      : picked
        ? [t("learn.preview"), takes(lesson, picked)]
        : right
          ? [rich("learn.hint", { card: chip(right.card) }), tell(right.why, lesson, right)]
          : [t(`learn.${lesson.id}.title`), tell(`learn.${lesson.id}.text`, lesson)];
  return h(
    "section",
    { class: "coach" },
    h("span", { class: `pebble ${mood}`, key: `${step}${mood}`, "aria-hidden": "true" }, stone(1, "Y")),
    h("div", { class: "speech", role: "status" }, h("h1", null, title), h("p", null, text)),
  );
}

/**
 * What is to be done; afterwards who takes what, and the way on.
 * @param {Lesson} lesson
 * @param {Play | null} done
 * @param {Play | null} picked
 */
function bar(lesson, done, picked) {
  if (!play) {
    const act = picked
      ? button(t("page.play"), () => tap(picked.card), { class: "act", key: "play" })
      : !hinted && iconButton("lamp", t("page.hint"), hint, { key: "hint", "data-act": "hint" });
    return h(
      "section",
      { class: "say", key: "task" },
      h("p", { class: "text" }, tell(`learn.${lesson.id}.task`, lesson)),
      act,
    );
  }
  if (!done && taken()) {
    return h(
      "section",
      { class: "say", key: "taken" },
      h("div", { class: "text" }, takes(lesson, play, play.falls[shown - 1])),
      button(t("page.go_on"), goOn, { class: "act", focus: true }),
    );
  }
  if (!done) {
    const next = waitsFor() ? t("learn.match.last") : t("page.is_thinking", { name: nameOf(play.falls[shown].seat) });
    return h("section", { class: "say", key: "task" }, h("p", { class: waitsFor() ? "text" : "text quiet" }, next));
  }
  const result =
    (step < lessons.length - 1 && takes(lesson, done)) ||
    h("span", { class: "quiet" }, t("learn.step", { step: step + 1, steps: lessons.length }));
  if (!done.right) {
    return h(
      "section",
      { class: "say", key: "wrong" },
      h("div", { class: "text" }, result),
      button(t("learn.again"), () => turnTo(step), { class: "act", focus: true }),
    );
  }
  if (step < lessons.length - 1) {
    return h(
      "section",
      { class: "say", key: "right" },
      h("div", { class: "text" }, result),
      button(t("learn.next"), () => turnTo(step + 1), { class: "act", focus: true }),
    );
  }
  return h(
    "section",
    { class: "say end", key: "end" },
    h("div", { class: "text" }, failed || t(toTable ? "page.home_waiting" : "learn.first_hint")),
    toTable
      ? button(t("page.to_table"), toTable, { class: "act", focus: true })
      : button(t("learn.first"), firstMatch, { class: "act", focus: true, disabled: busy }),
  );
}
