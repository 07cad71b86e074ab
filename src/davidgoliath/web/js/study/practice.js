// Try again: every error as a position to play. Whatever card isn't an error itself is right; then the reasons.

import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { rich, t } from "../base/texts.js";
import { viewport } from "../base/viewport.js";
import { story } from "../table/dialogs.js";
import { dealOf, myHand, nameOf } from "../table/game.js";
import { hand } from "../table/hand.js";
import { lookOf } from "../table/looks.js";
import { follow, shake } from "../table/motion.js";
import { sayBar } from "../table/narrator.js";
import { ledger, panel, radar } from "../table/piles.js";
import { trickRow } from "../table/trick.js";
import { rowsOf, slotsOf } from "../table/view_model.js";
import { button, chip, iconButton, lookAlone } from "../ui/pieces.js";
import { listed, where } from "./costly.js";
import { marksOf } from "./marks.js";
import { change, points } from "./numbers.js";
import { reasonList } from "./reasons.js";
import { isError } from "./study.js";

/** @typedef {import("./study.js").Costly} Costly */

const BITS = 4;
const CROSS = "✗";

export class Practice {
  /**
   * @param {import("../replay/film.js").Film} film @param {Costly[]} errors
   * @param {import("./costly.js").Way} way @param {() => void} leave
   */
  constructor(film, errors, way, leave) {
    this.film = film;
    this.errors = errors;
    this.way = way;
    this.leave = leave;
    this.at = 0;
    /** @type {("first" | "later" | "shown" | "skipped")[]} what came of the positions so far */
    this.found = [];
    /** @type {string[]} what was tried in this position, the latest last */
    this.tried = [];
    /** Whether the answer is shown. */
    this.shown = false;
    /** @type {string | null} */
    this.focus = null;
    this.wanted = true;
    /** Whether a new position has just come. */
    this.jumped = true;
  }

  get isOver() {
    return this.at >= this.errors.length;
  }

  /** The card that was tried last. */
  get last() {
    return this.errors[this.at].choice.cards.find(({ card }) => card === this.tried.at(-1));
  }

  get isFound() {
    return this.last !== undefined && !isError(this.last);
  }

  /** @param {string} card */
  tap(card) {
    const { choice } = this.errors[this.at];
    if (this.shown || this.tried.includes(card)) return;
    const worth = choice.cards.find((one) => one.card === card);
    if (!worth) return shake(card);
    this.tried.push(card);
    if (isError(worth)) shake(card);
    else this.shown = true;
    draw();
  }

  show() {
    this.shown = true;
    draw();
  }

  /** What has come of this position. */
  get outcome() {
    if (!this.shown) return "skipped";
    if (!this.isFound) return "shown";
    return this.tried.length === 1 ? "first" : "later";
  }

  next() {
    this.found.push(this.outcome);
    this.at++;
    this.begin();
  }

  again() {
    this.found = [];
    this.at = 0;
    this.begin();
  }

  begin() {
    this.tried = [];
    this.shown = false;
    this.focus = null;
    this.wanted = this.jumped = true;
    draw();
  }

  drawn() {
    if (this.isOver) return;
    follow(this.film.at(0).highest, this.jumped);
    this.jumped = false;
    if (this.wanted) /** @type {HTMLElement | null} */ (document.querySelector(".hand [tabindex='0']"))?.focus();
    this.wanted = false;
  }

  view() {
    return this.isOver ? this.result() : this.position(this.errors[this.at]);
  }

  /** @param {Costly} costly */
  position({ seen, choice }) {
    const game = this.film.at(this.film.before(seen.deal, choice.played));
    const deal = dealOf(game);
    const name = (/** @type {number} */ seat) => nameOf(game, seat, t);
    const shown = { game, held: null, landing: null, bare: false, pending: null, taken: true };
    const rows = rowsOf(shown, null, name, () => {}, new Map()).map((row) => ({
      ...row,
      note: row.me ? "" : row.note,
      away: false,
      sign: null,
    }));
    const me = rows.find((row) => row.me);
    const costs = marksOf(choice);
    return h(
      "main",
      {
        class: `table practice raked p${game.chairs.length}`,
        key: `practice ${this.at}`,
        style: { "--n": String(game.chairs.length) },
        on: { keydown: (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && this.leave() },
      },
      h(
        "header",
        { class: "bar" },
        iconButton("back", t("study.page.back"), this.leave),
        h(
          "h1",
          { class: "where" },
          t("study.page.position", { number: this.at + 1, count: this.errors.length }),
          h("small", null, ` · ${where({ seen, choice }, this.film.deals.length > 1)}`),
        ),
        button(t("study.page.skip"), () => this.next(), { class: "plain" }),
      ),
      ledger(rows, deal?.table[0]?.card[0] ?? null),
      viewport.panels &&
        h(
          "section",
          { class: "others", key: "others", style: { "--n": String(rows.length) }, "aria-label": t("page.piles") },
          rows.filter((row) => !row.me).map((row) => panel(row, game.highest, BITS)),
        ),
      trickRow(slotsOf(shown, null, name)),
      this.says(choice, name),
      h(
        "div",
        { class: "bottom" },
        h("section", { class: "mine" }, me && viewport.panels && panel(me, game.highest, BITS)),
        hand({
          cards: myHand(game),
          legal: new Set(choice.cards.map(({ card }) => card)),
          pick: this.shown ? choice.best : null,
          focus: this.focus,
          mine: !this.shown,
          marks: this.shown
            ? costs
            : new Map(this.tried.map((card) => [card, { text: CROSS, says: costs.get(card)?.says, kind: "" }])),
          tap: (card) => this.tap(card),
          preview: () => {},
          unpreview: () => {},
          focused: (card) => {
            this.focus = card;
          },
        }),
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
            { tabindex: "0", "aria-label": t("page.story") },
            h("h2", null, t("page.story")),
            deal?.tricks.length
              ? story(deal.tricks, name, seen.seat)
              : h("p", { class: "quiet" }, t("page.no_trick_yet")),
          ),
        ),
    );
  }

  /** @param {import("./study.js").Choice} choice @param {(seat: number) => string} name */
  says(choice, name) {
    const { last } = this;
    const head = (/** @type {import("../base/dom.js").Inner} */ text) => h("b", { class: "verdict" }, text);
    if (this.shown) {
      const verdict =
        last && this.isFound
          ? last.card === choice.best
            ? rich("study.page.right_best", { card: chip(last.card) })
            : rich("study.page.right", { card: chip(last.card), best: chip(choice.best) })
          : rich("study.page.answer", { best: chip(choice.best) });
      return sayBar(
        [
          head(verdict),
          h(
            "span",
            { class: "then" },
            rich("study.page.then", { played: chip(choice.played), points: change(choice.loss) }),
          ),
          reasonList(choice.reasons, name, choice.loss),
        ],
        button(t(this.at + 1 < this.errors.length ? "learn.next" : "study.page.done"), () => this.next(), {
          class: "act",
          focus: true,
          "data-act": "next",
          key: "next",
        }),
        "answer",
      );
    }
    if (last)
      return sayBar(
        [head(rich("study.page.wrong", { card: chip(last.card), points: points(last.loss) }))],
        button(t("study.page.show"), () => this.show(), { "data-act": "show", key: "show" }),
        "wrong",
      );
    return sayBar([head(t("study.page.question"))], null, "question");
  }

  result() {
    const right = this.found.filter((one) => one === "first").length;
    return h(
      "div",
      { class: "page review practised raked", key: "practised" },
      h(
        "main",
        { class: "in" },
        h(
          "div",
          { class: "hero" },
          h(
            "div",
            null,
            h("h1", null, t("study.page.practised", { count: this.errors.length, right })),
            h("p", { class: "tag1" }, t("study.page.practised_what")),
          ),
          h(
            "div",
            { class: "whose", "aria-hidden": "true" },
            lookAlone(lookOf(this.film.end, this.errors[0].seen.seat)),
          ),
        ),
        h(
          "section",
          { class: "box" },
          listed(this.errors, this.film.deals.length > 1, this.way, (_, place) =>
            h(
              "span",
              { class: this.found[place] === "first" ? "first" : "quiet" },
              t(`study.page.found.${this.found[place]}`),
            ),
          ),
        ),
        h(
          "div",
          { class: "acts" },
          button(t("study.page.back"), this.leave, { class: "act big", focus: true, "data-act": "leave" }),
          button(t("study.page.again"), () => this.again(), { class: "big" }),
        ),
      ),
    );
  }
}
