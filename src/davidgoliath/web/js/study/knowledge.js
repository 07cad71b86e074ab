// What a seat could tell of the other hands at a moment of a deal: how many cards of each colour it could expect there.

import { ask, Refused } from "../base/api.js";
import { COLOURS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { suit } from "../ui/pieces.js";
import { points } from "./numbers.js";

/** @typedef {import("../base/protocol").KnowledgeWanted} Wanted */

export class Knowledge {
  /** @param {string} table @param {Wanted} when @param {() => void} changed */
  constructor(table, when, changed) {
    this.when = when;
    this.trouble = "";
    /** @type {import("../base/protocol").Guess[] | null} */
    this.guesses = null;
    void this.load(table).then(changed);
    changed();
  }

  /** @param {string} table */
  async load(table) {
    try {
      this.guesses = (await ask("POST /api/tables/{table}/knowledge", { table, body: this.when })).guesses;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      this.trouble = refused.message;
    }
  }

  /** @param {Wanted} other */
  isOf({ deal, seat, place }) {
    const { when } = this;
    return when.deal === deal && when.seat === seat && when.place === place;
  }

  /** @param {(seat: number) => string} name */
  view(name) {
    if (this.trouble) return h("p", { class: "quiet", role: "alert" }, this.trouble);
    if (!this.guesses) return h("p", { class: "quiet", role: "status" }, t("study.page.looking"));
    return h(
      "table",
      { class: "guesses", key: "guesses" },
      h("caption", { class: "quiet" }, t("study.page.guesses")),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, h("span", { class: "vh" }, t("page.player"))),
          COLOURS.map((colour) =>
            h("th", { scope: "col" }, suit(colour), h("span", { class: "vh" }, t(`colour.${colour}`))),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        this.guesses.map(({ seat, cards }) =>
          h(
            "tr",
            { key: seat },
            h("th", { scope: "row" }, name(seat)),
            cards.map((count) => h("td", { class: count ? "" : "none" }, count ? points(count) : t("study.page.none"))),
          ),
        ),
      ),
    );
  }
}
