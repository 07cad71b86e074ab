// What there is to read: the rules of the game, and what becomes of people's data.

import { learnOffer, offer } from "./bots.js";
import { h } from "./dom.js";
import { offline } from "./elsewhere.js";
import { frame } from "./frame.js";
import { render } from "./markdown.js";
import { draw } from "./router.js";
import { build, language, t } from "./texts.js";

const PRIVACY = ["privacy.1", "privacy.2", "privacy.3", "privacy.4", "privacy.5", "privacy.6", "privacy.7"];

/** @type {Map<string, ReturnType<typeof render> | "coming" | "failed">} */
const rules = new Map();

/** @param {string} code */
async function loadRules(code) {
  rules.set(code, "coming");
  try {
    const answer = await fetch(`/web/${build}/texts/rules.${code}.md`);
    rules.set(code, answer.ok ? render(await answer.text()) : "failed");
  } catch {
    rules.set(code, "failed");
  }
  draw();
}

/** The rules in the reader's language, with a table of contents. */
export function rulesView() {
  const code = language();
  if (!rules.has(code)) loadRules(code);
  const found = rules.get(code);
  if (found === "failed") return offline(t("page.offline"), () => loadRules(code));
  if (!found || found === "coming") return h("p", { class: "quiet", role: "status" }, t("page.loading"));
  const [, ...parts] = found.headings;
  return h(
    "article",
    { class: "rules", key: code },
    h(
      "nav",
      { class: "contents", "aria-label": t("page.contents") },
      h("ul", null, parts.map(({ text, id }) => h("li", null, h("a", { href: `#${id}`, on: { click: jump } }, text)))),
    ),
    found.blocks.slice(1),
  );
}

/** Goes to a part of the text, here: the address stays that of the page, or of the table. @param {MouseEvent} event */
function jump(event) {
  event.preventDefault();
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget ?? event.target);
  const part = document.getElementById(link.hash.slice(1));
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

/** @type {import("./router.js").Page} */
export const rulesPage = {
  title: () => t("page.rules"),
  view: () => frame(t("page.rules"), h("section", { class: "box" }, rulesView()), { kind: "reading" }),
};

/** @type {import("./router.js").Page} */
export const privacyPage = {
  enter: learnOffer,
  title: () => t("privacy.title"),
  view: () =>
    frame(
      t("privacy.title"),
      h(
        "section",
        { class: "box" },
        h("article", { class: "rules" }, PRIVACY.map((key) => h("p", null, t(key, { count: offer.idle_days })))),
        h("p", { class: "acts" }, h("a", { class: "btn", href: "/settings" }, t("page.settings"))),
      ),
      { kind: "reading" },
    ),
};
