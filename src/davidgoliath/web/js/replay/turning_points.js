// The tricks that changed a match most, as the server says: a tap leads to each.

import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { mySeat } from "../table/game.js";
import { storyLine } from "../table/narrator.js";

/**
 * @param {import("../table/game.js").Game} game  that is over
 * @param {(seat: number) => string} name
 * @param {(deal: number, trick: number) => import("../base/dom.js").Props} way  a link or a button that leads there
 */
export function decisive(game, name, way) {
  const points = game.turningPoints.flatMap(([number, place]) => {
    const trick = game.deals.find((deal) => deal.deal === number && !deal.aborted)?.tricks[place - 1];
    return trick ? [{ number, place, trick }] : [];
  });
  if (!points.length) return null;
  return h(
    "section",
    { class: "box decisive" },
    h("h2", null, t("page.turning_points")),
    h(
      "ol",
      { class: "log" },
      points.map(({ number, place, trick }) => {
        const props = way(number, place);
        return h(
          "li",
          { key: `${number} ${place}` },
          h(
            props.href ? "a" : "button",
            props,
            h("span", { class: "at" }, t("page.turning_point", { deal: number, trick: place })),
            h("span", null, storyLine(trick, name, mySeat(game))),
          ),
        );
      }),
    ),
  );
}
