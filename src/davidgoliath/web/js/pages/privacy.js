// What becomes of people's data.

import { h } from "../base/dom.js";
import { t } from "../base/texts.js";
import { isSite } from "../base/transport.js";
import { learnOffer, offer } from "../ui/bots.js";
import { frame } from "../ui/frame.js";

const FIGURES = "privacy.figures";
const PRIVACY = isSite
  ? ["site.privacy"]
  : ["privacy.1", "privacy.2", "privacy.3", "privacy.4", "privacy.5", FIGURES, "privacy.6", "privacy.7"];

/** @type {import("../base/router.js").Page} */
export const page = {
  enter: learnOffer,
  title: () => t("privacy.title"),
  view: () =>
    frame(
      t("privacy.title"),
      h(
        "section",
        { class: "box" },
        h(
          "article",
          { class: "rules" },
          PRIVACY.map((key) => h("p", null, t(key, { count: key === FIGURES ? offer.figures_days : offer.idle_days }))),
        ),
        h("p", { class: "acts" }, h("a", { class: "btn", href: "/settings" }, t("page.settings"))),
      ),
      { kind: "reading" },
    ),
};
