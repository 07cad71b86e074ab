// As much Markdown as the rules use: headings, paragraphs, lists, tables; bold, emphasis and code within them.

import { h } from "../base/dom.js";

/**
 * @typedef {import("../base/dom.js").Child} Child
 * @typedef {{ title: string, blocks: Child[] }} Section
 */

/** Its sections, each with its heading. @param {string} source @returns {Section[]} */
export function sections(source) {
  /** @type {Section[]} */
  const found = [];
  for (const block of source.trim().split(/\n{2,}/)) {
    const heading = /^#+ (.*)$/.exec(block);
    if (heading) found.push({ title: heading[1], blocks: [] });
    else found.at(-1)?.blocks.push(rendered(block));
  }
  return found;
}

/** @param {string} block */
function rendered(block) {
  if (block.startsWith("|")) return table(block.split("\n"));
  if (/^\d+\. /.test(block)) return items("ol", block, /\n(?=\d+\. )/, /^\d+\. +/);
  if (block.startsWith("- ")) return items("ul", block, /\n(?=- )/, /^- +/);
  return h("p", null, inline(block));
}

/** @param {string} tag @param {string} block @param {RegExp} between @param {RegExp} mark */
function items(tag, block, between, mark) {
  return h(
    tag,
    null,
    block.split(between).map((item) => h("li", null, inline(item.replace(mark, "")))),
  );
}

/** @param {string[]} lines */
function table([head, , ...body]) {
  /** @param {string} line @param {string} tag */
  const row = (line, tag) =>
    h(
      "tr",
      null,
      line
        .slice(1, -1)
        .split("|")
        .map((cell, place) =>
          h(place ? tag : "th", { scope: tag === "th" ? "col" : place ? null : "row" }, inline(cell.trim())),
        ),
    );
  return h(
    "div",
    { class: "wide", tabindex: "0" },
    h(
      "table",
      null,
      h("thead", null, row(head, "th")),
      h(
        "tbody",
        null,
        body.map((line) => row(line, "td")),
      ),
    ),
  );
}

/** @param {string} text @returns {Child[]} */
function inline(text) {
  return text
    .replace(/\s+/g, " ")
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("**")) return h("b", null, part.slice(2, -2));
      if (part.startsWith("*")) return h("em", null, part.slice(1, -1));
      if (part.startsWith("`")) return h("code", null, part.slice(1, -1));
      return part;
    });
}
