// A replay through the eyes of one seat: its hand with what each card was worth, and the cards that it couldn't know
// drawn apart from those that it could.

import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { loadTexts, rich, t } from "../base/texts.js";
import { seatOf } from "../table/game.js";
import { button, cardPicture, chip } from "../ui/pieces.js";
import { instead } from "./costly.js";
import { Knowledge } from "./knowledge.js";
import { marksOf } from "./marks.js";
import { nameForAll, reasonList } from "./reasons.js";
import { Study } from "./study.js";

/**
 * @typedef {import("../table/game.js").Game} Game
 * @typedef {import("../table/game.js").Deal} Deal
 * @typedef {import("../base/dom.js").Inner} Inner
 */

export class Eyes {
  /** @param {string} table @param {import("../replay/film.js").Film} film */
  constructor(table, film) {
    this.table = table;
    this.film = film;
    /** @type {number | null} whose; null: all hands are open */
    this.seat = null;
    /** @type {Study | null} */
    this.study = null;
    /** @type {Knowledge | null} what the seat could tell of other hands, if somebody asks */
    this.knowledge = null;
    this.isReady = false;
    void loadTexts("study.").then(() => {
      this.isReady = true;
      draw();
    });
  }

  /** @param {number | null} seat */
  open(seat) {
    if (seat === this.seat) return;
    this.study?.stop();
    this.seat = seat;
    this.study = seat === null ? null : new Study(this.table, seat, this.film.deals, draw);
    draw();
  }

  close() {
    this.study?.stop();
  }

  /**
   * @param {Game} game @param {Deal} deal @param {(seat: number) => string} name @param {number | null} me
   * @param {(seat: number | null) => void} choose
   */
  view(game, deal, name, me, choose) {
    if (!this.isReady) return null;
    const { seat } = this;
    const wish = (/** @type {{ target: HTMLSelectElement }} */ { target }) => choose(seatOf(target.value, game));
    return h(
      "section",
      { class: "box eyes", key: "eyes" },
      h(
        "header",
        null,
        h("label", { for: "whose" }, t("study.page.eyes")),
        h(
          "select",
          { id: "whose", on: { change: wish } },
          h("option", { value: "all", selected: seat === null }, t("study.page.eyes_all")),
          game.chairs.map((_, one) => h("option", { key: one, value: one, selected: one === seat }, name(one))),
        ),
      ),
      seat !== null && this.sight(seat, deal, seat === me ? name : nameForAll(game), me),
    );
  }

  /**
   * @param {number} seat @param {Deal} deal @param {(seat: number) => string} name
   * @param {number | null} me @returns {Inner}
   */
  sight(seat, deal, name, me) {
    const isTaken = !deal.table.length && deal.tricks.length > 0;
    const plays = isTaken && deal.now.toPlay !== seat ? (deal.tricks.at(-1)?.plays ?? []) : deal.table;
    const number = plays === deal.table ? deal.tricks.length + 1 : deal.tricks.length;
    const own = plays.find((play) => play.seat === seat);
    const later = own ? plays.length - 1 - plays.indexOf(own) : 0;
    const before = new Set(
      [...deal.tricks.flatMap((trick) => trick.plays), ...deal.table]
        .map((play) => play.card)
        .filter((card) => card !== own?.card),
    );
    const isDue = own !== undefined || deal.now.toPlay === seat;
    const choice = isDue
      ? this.study?.seen.find((seen) => seen.deal === deal.deal)?.choices.find(({ trick }) => trick === number)
      : undefined;
    const marks = choice ? marksOf(choice) : new Map();
    return [
      h(
        "ul",
        { class: "fan", "aria-label": t("study.page.hand_of", { name: name(seat) }) },
        deal.hands[seat]
          .filter((card) => !before.has(card))
          .map((card) => {
            const mark = marks.get(card);
            const kind = `${card === own?.card ? "was" : ""} ${choice && !mark ? "no" : ""} ${mark?.kind ?? ""}`;
            return h(
              "li",
              { key: card, class: kind, title: mark?.says ?? null },
              cardPicture(card),
              mark &&
                h(
                  "span",
                  { class: `over ${mark.kind}` },
                  h("span", { "aria-hidden": "true" }, mark.text),
                  h("span", { class: "vh" }, mark.says),
                ),
            );
          }),
      ),
      h("div", { class: "about" }, this.about(seat, number, choice, isDue, name, me)),
      h(
        "p",
        { class: "quiet key" },
        t(seat === me ? "study.page.knew_you" : "study.page.knew", { name: name(seat) }),
        seat !== me && ` ${t("study.page.you_is", { name: name(seat) })}`,
        " ",
        h("a", { href: `/review/${this.table}?seat=${seat}` }, t("study.page.back")),
      ),
      h(
        "div",
        { class: "known" },
        this.guesses({ deal: deal.deal, seat, place: before.size - later }, name, seat === me),
      ),
    ];
  }

  /**
   * What the seat could tell of other hands then: worked out when somebody asks.
   * @param {import("../base/protocol").KnowledgeWanted} when
   * @param {(seat: number) => string} name @param {boolean} mine
   */
  guesses(when, name, mine) {
    if (this.knowledge?.isOf(when)) return this.knowledge.view(name);
    const ask = () => {
      this.knowledge = new Knowledge(this.table, when, draw);
    };
    const label = t(mine ? "study.page.ask_you" : "study.page.ask", { name: name(when.seat) });
    return button(label, ask, { key: "ask", "data-act": "knowledge" });
  }

  /**
   * @param {number} seat @param {number} trick @param {import("./study.js").Choice | undefined} choice
   * @param {boolean} isDue @param {(seat: number) => string} name @param {number | null} me @returns {Inner}
   */
  about(seat, trick, choice, isDue, name, me) {
    const { study } = this;
    const at = [h("b", null, t("study.page.trick", { trick })), " "]; // not yet that of the cards that lie there
    if (choice) {
      if (choice.played === choice.best)
        return h(
          "p",
          null,
          at,
          rich(seat === me ? "study.page.played_best_you" : "study.page.played_best", {
            name: h("b", null, name(seat)),
            card: chip(choice.played),
          }),
        );
      return [
        h("p", null, at, instead(choice, seat === me, name(seat))),
        reasonList(choice.reasons, name, choice.loss),
      ];
    }
    if (!study?.seen.length)
      return h(
        "p",
        { class: "quiet", role: "status" },
        study?.failed?.message ?? t(study?.isDone ? "study.page.not_asked" : "study.page.looking"),
      );
    return h("p", { class: "quiet" }, at, t(isDue ? "study.page.forced" : "study.page.not_due", { name: name(seat) }));
  }
}
