// Before the first deal: who plays, who deals first, how long the match is. The same form corrects it later.

import { h } from "../base/dom.js";
import { HIGHEST_TARGET, MOST_DEALS, PLAYERS } from "../base/facts.js";
import { draw } from "../base/router.js";
import { t } from "../base/texts.js";
import { choice, field, form, list, nameField } from "../ui/forms.js";
import { book, changeSetup, replacePad } from "./book.js";

/** @typedef {import("./scoring.js").Pad} Pad */

const MOST = Math.max(...PLAYERS);

const wish = { players: 4, names: Array(MOST).fill(""), dealer: 0, preset: "classic", deals: "", target: "" };
/**
 * Options that matter while cards are played, not here: a pad keeps them as they came.
 * @type {Partial<Pad["rules"]>}
 */
let others = {};

/** Fills the form: from the running pad, or from who played last. */
export function beginSetup() {
  const { pad, names } = book;
  const { preset = "classic", deals = "", target_score: target = "", ...rest } = pad?.rules ?? {};
  others = rest;
  Object.assign(wish, {
    players: pad?.names.length ?? wish.players,
    names: Array.from({ length: MOST }, (_, seat) => pad?.names[seat] ?? names[seat] ?? ""),
    dealer: pad?.dealer ?? 0,
    preset,
    deals: deals === "players" ? "" : String(deals),
    target: target === null ? "" : String(target),
  });
}

/** @param {Partial<typeof wish>} change */
function set(change) {
  Object.assign(wish, change);
  wish.dealer = Math.min(wish.dealer, wish.players - 1);
  draw();
}

/** What somebody without a name is called. @param {number} seat */
const called = (seat) => wish.names[seat].trim() || t("pad.player", { number: seat + 1 });

/** @param {() => void} done */
export function setupForm(done) {
  const running = Boolean(book.pad);
  const seats = Array.from({ length: wish.players }, (_, seat) => seat);
  const number = { type: "number", inputmode: "numeric", min: 1 };
  return form(
    { class: "stack padsetup", key: "setup" },
    () => finish(done),
    h(
      "section",
      { class: "box stack" },
      !running &&
        choice(
          t("page.players"),
          PLAYERS.map((count) => [String(count), count]),
          String(wish.players),
          (count) => set({ players: Number(count) }),
        ),
      h(
        "div",
        { class: "who-plays" },
        seats.map((seat) =>
          nameField(
            `name${seat}`,
            t("pad.player", { number: seat + 1 }),
            wish.names[seat],
            (name) => set({ names: wish.names.with(seat, name) }),
            { autocomplete: "off", placeholder: t("page.pad_name") },
          ),
        ),
      ),
      h("p", { class: "quiet" }, t("page.pad_order")),
      list(
        "dealer",
        t("page.pad_first_dealer"),
        seats.map((seat) => [String(seat), called(seat)]),
        String(wish.dealer),
        (seat) => set({ dealer: Number(seat) }),
      ),
    ),
    h(
      "section",
      { class: "box stack" },
      choice(
        t("page.match"),
        [
          ["classic", t("page.match_full")],
          ["single", t("page.match_single")],
        ],
        wish.preset === "classic" ? "classic" : "single",
        (preset) => set({ preset, deals: "" }),
      ),
      h(
        "details",
        { open: Boolean(wish.deals || wish.target) },
        h("summary", null, t("page.options")),
        h(
          "div",
          { class: "stack" },
          field("deals", t("page.option_deals"), wish.deals, (deals) => set({ deals }), {
            ...number,
            max: MOST_DEALS,
            placeholder: t("page.option_preset"),
          }),
          field("target", t("page.option_target_score"), wish.target, (target) => set({ target }), {
            ...number,
            max: HIGHEST_TARGET,
            placeholder: t("page.option_none"),
          }),
        ),
      ),
    ),
    h("button", { type: "submit", class: "btn act big" }, t(running ? "page.save" : "page.pad_start")),
  );
}

/** @param {() => void} done */
function finish(done) {
  /** @param {string} text @param {number} most */
  const whole = (text, most) => (text.trim() ? Math.min(most, Math.max(1, Math.round(Number(text)) || 1)) : null);
  const [deals, target] = [whole(wish.deals, MOST_DEALS), whole(wish.target, HIGHEST_TARGET)];
  const rules = { preset: wish.preset, ...others, ...(deals && { deals }), ...(target && { target_score: target }) };
  const names = Array.from({ length: wish.players }, (_, seat) => called(seat));
  if (book.pad) changeSetup({ names, rules, dealer: wish.dealer });
  else replacePad({ names, rules, dealer: wish.dealer, deals: [] });
  done();
}
