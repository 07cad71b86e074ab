// Whom this browser was before, to go back to; and a new token, when somebody else may have the old one.

import { href } from "../base/address.js";
import { signOutOthers, whose } from "../base/api.js";
import { h } from "../base/dom.js";
import { isUnknown, whatFailed } from "../base/person.js";
import { draw } from "../base/router.js";
import { be, dropPast, stored } from "../base/storage.js";
import { isolated, t } from "../base/texts.js";
import { trouble } from "../ui/forms.js";
import { button } from "../ui/pieces.js";

/** @typedef {import("../base/storage.js").Identity} Identity */

/** What is asked, said or failed, and about whom: one of the past by their token, or "others", my other devices. */
let ui = { about: "", sure: false, said: "", failed: "" };

/** Nothing is asked or said. */
export const hideQuestions = () => void tell("");

/** @param {string} about @param {Partial<typeof ui>} [what] */
function tell(about, what) {
  ui = { about, sure: false, said: "", failed: "", ...what };
  draw();
}

/** @param {string} question @param {string} yes @param {() => void} act */
const certain = (question, yes, act) =>
  h(
    "div",
    { class: "warning stack", role: "group", "aria-labelledby": "certain" },
    h("p", { id: "certain" }, question),
    h(
      "p",
      { class: "acts" },
      button(t("page.no"), () => tell(""), { focus: true }),
      button(yes, act, { class: "act" }),
    ),
  );

/** Signs out whoever else has this person's link. */
export function otherDevices() {
  if (!stored.token) return null;
  return h(
    "section",
    { class: "box stack", key: "others" },
    h("h2", null, t("page.sign_out_title")),
    h("p", null, t("page.sign_out_hint")),
    ui.about === "others" && ui.sure
      ? certain(t("page.sign_out_sure"), t("page.sign_out"), signOut)
      : button(t("page.sign_out"), () => tell("others", { sure: true })),
    h("p", { class: "quiet", role: "status" }, ui.said),
    ui.about === "others" && ui.failed && trouble(ui.failed),
  );
}

async function signOut() {
  try {
    await signOutOthers();
    tell("others", { said: t("page.sign_out_done") });
  } catch (refused) {
    tell("others", { failed: whatFailed(refused) });
  }
}

/** Whom this browser was. */
export function pastPeople() {
  if (!stored.past?.length) return null;
  return h(
    "section",
    { class: "box stack", key: "past" },
    h("h2", null, t("page.past")),
    h("p", null, t("page.past_hint")),
    h("ul", { class: "stack past" }, stored.past.map(onePast)),
  );
}

/** @param {Identity} past */
function onePast(past) {
  const name = past.name ?? "?";
  const drop = () => {
    dropPast(past);
    tell("");
  };
  const isAbout = ui.about === past.token;
  if (isAbout && ui.sure)
    return h("li", { key: past.token }, certain(t("page.past_drop_sure", { name }), t("page.past_drop"), drop));
  return h(
    "li",
    { key: past.token, class: "stack" },
    h("b", { class: "name" }, isolated(name)),
    h(
      "p",
      { class: "acts" },
      button(t("page.past_back", { name }), () => void goBack(past)),
      button(t("page.past_drop"), () => tell(past.token, { sure: true }), {
        "aria-label": t("page.past_drop_of", { name }),
      }),
    ),
    isAbout && ui.failed && trouble(ui.failed),
  );
}

/** @param {Identity} past */
async function goBack(past) {
  try {
    be(await whose(past.token));
    location.replace(href("/")); // as somebody else everything begins anew
  } catch (refused) {
    tell(past.token, {
      failed: isUnknown(refused) ? t("page.past_unknown", { name: past.name ?? "?" }) : whatFailed(refused),
    });
  }
}
