// What has been written: the totals of the match, the scores of a deal, and how each of them comes about.

import { COLOURS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { language, t } from "../base/texts.js";
import { face, suit } from "../ui/pieces.js";

/**
 * @typedef {import("./scoring.js").Pad} Pad
 * @typedef {ReturnType<typeof import("./scoring.js").reckon>} Result
 */

/** Who deals and who leads. @param {Pad} pad @param {{ dealer: number, leader: number }} turns */
export const turnsLine = (pad, { dealer, leader }) =>
  h("p", { class: "turns" }, t("pad.turns", { dealer: pad.names[dealer], leader: pad.names[leader] }));

/**
 * Deals and players, and the totals below; each deal opens.
 * @param {Pad} pad @param {Result} result @param {number} shown @param {(deal: number) => void} open
 */
export function totalsTable(pad, result, shown, open) {
  const started = result.deals.length;
  return h(
    "table",
    { class: `totals ${pad.names.length > 4 ? "many" : ""}`, "aria-label": t("page.pad_totals") },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, h("span", { class: "vh" }, t("page.deal"))),
        pad.names.map((name, seat) =>
          h("th", { scope: "col", key: seat }, face(seat), h("span", { class: "name" }, name)),
        ),
      ),
    ),
    h(
      "tbody",
      null,
      result.deals.map((deal, number) =>
        h(
          "tr",
          { key: number, class: number === shown ? "shown" : "" },
          h(
            "th",
            { scope: "row" },
            h(
              "button",
              {
                type: "button",
                class: "which",
                "aria-label": t("page.deal_number", { deal: number + 1 }),
                "aria-current": number === shown && "true",
                on: { click: () => open(number) },
              },
              number + 1,
            ),
          ),
          deal.scores.map((score, seat) =>
            h("td", { key: seat, class: deal.complete ? "" : "open" }, deal.complete || score ? score : "·"),
          ),
        ),
      ),
    ),
    h(
      "tfoot",
      null,
      h(
        "tr",
        null,
        h(
          "th",
          { scope: "row" },
          h("span", { "aria-hidden": "true" }, "Σ"),
          h("span", { class: "vh" }, t("score.total")),
        ),
        result.totals.map((total, seat) =>
          h("td", { key: seat, class: started && result.places[seat] === 1 && total ? "first" : "" }, total),
        ),
      ),
    ),
  );
}

/**
 * Everyone's points in a deal, by colour, with the reason below each.
 * @param {Pad} pad
 * @param {Result} result
 * @param {number} number
 */
export function byColour(pad, result, number) {
  const deal = result.deals[number];
  return h(
    "table",
    { class: "bycolour", "aria-label": t("score.title") },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, h("span", { class: "vh" }, t("page.player"))),
        COLOURS.map((colour) =>
          h("th", { scope: "col", key: colour }, suit(colour), h("span", { class: "vh" }, t(`colour.${colour}`))),
        ),
        h("th", { scope: "col" }, t("page.points_short")),
      ),
    ),
    h(
      "tbody",
      null,
      pad.names.map((name, seat) =>
        h(
          "tr",
          { key: seat },
          h("th", { scope: "row" }, h("span", { class: "name" }, name)),
          COLOURS.map((colour, place) => {
            const values = pad.deals[number][seat][place];
            return h(
              "td",
              { key: colour, class: values.length ? "" : "none" },
              h("b", null, deal.points[seat][place] ?? "?"),
              h("small", null, reason(values)),
            );
          }),
          h("td", { class: "sum" }, deal.scores[seat]),
        ),
      ),
    ),
  );
}

/** How a number comes about: 5+9, or 3×1. @param {number[]} values */
function reason(values) {
  if (values.length > 2) return `${values.length}×1`;
  return values.map((value) => value || "?").join("+");
}

/** The match so far, the best first. @param {Pad} pad @param {Result} result @param {number} number */
export function ranking(pad, result, number) {
  const deal = result.deals[number];
  const seats = pad.names.map((_, seat) => seat).sort((one, other) => result.places[one] - result.places[other]);
  return h(
    "ol",
    { class: "stand padstand" },
    seats.map((seat) =>
      h(
        "li",
        { key: seat },
        h("span", { class: "quiet" }, result.places[seat]),
        face(seat),
        h(
          "span",
          null,
          h("span", { class: "name" }, pad.names[seat]),
          result.deals.length > 1 &&
            h("span", { class: "deals" }, t("page.pad_this_deal", { deal: number + 1, points: deal.scores[seat] })),
        ),
        h("span", { class: "pts" }, result.totals[seat]),
      ),
    ),
  );
}

/** Who has won. @param {Pad} pad @param {Result} result */
export function winners(pad, result) {
  const names = pad.names.filter((_, seat) => result.places[seat] === 1);
  if (names.length > 1) return t("page.end_shared", { names: new Intl.ListFormat(language()).format(names) });
  const [first, second] = [...result.totals].sort((one, other) => other - one);
  return t("page.end_wins", { name: names[0], count: first - second });
}
