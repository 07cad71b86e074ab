// The rules of the game, in the reader's language.

import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { build, language, t } from "../base/texts.js";
import { offline } from "../ui/empty_states.js";
import { frame } from "../ui/frame.js";
import { render } from "../ui/markdown.js";

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
      h(
        "ul",
        null,
        parts.map(({ text, id }) => h("li", null, h("a", { href: `#${id}`, on: { click: jump } }, text))),
      ),
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

/** @type {import("../base/router.js").Page} */
export const page = {
  title: () => t("page.rules"),
  view: () => frame(t("page.rules"), h("section", { class: "box" }, rulesView()), { kind: "reading" }),
};
