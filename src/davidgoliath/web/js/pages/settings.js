// How people like it, and what is known of them.

import { ask } from "../base/api.js";
import { h } from "../base/dom.js";
import { beSomeone, isUnknown, remember, whatFailed } from "../base/person.js";
import { draw, part } from "../base/router.js";
import { CHOICES, forget, keep, stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { isSite, loadBackup } from "../base/transport.js";
import { anotherDevice, hideDevice } from "../ui/device_link.js";
import { download } from "../ui/download.js";
import { choice, form, list, nameField, toggle, trouble } from "../ui/forms.js";
import { frame, languageName, paint, speak } from "../ui/frame.js";
import { button } from "../ui/pieces.js";
import { chooseStone, stonePicker } from "../ui/stone_picker.js";
import { hideQuestions, otherDevices, pastPeople } from "./identities.js";

/** Only a site has it. */
const load = loadBackup;
const backup = load && part(async () => (await load()).backup, [], 0);

let name = "";
let said = "";
let failed = "";
let sure = false;
/** @type {import("../ui/stone_picker.js").Stone | null} */
let stone = null;

/** @type {import("../base/router.js").Page} */
export const page = {
  async enter() {
    name = stored.name ?? "";
    said = failed = "";
    sure = false;
    hideDevice();
    hideQuestions();
    stone = null;
    if (!stored.token) return;
    await remember().catch(whatFailed);
    name ||= stored.name ?? "";
    stone = (await ask("GET /api/me").catch(() => null))?.stone ?? stone;
    draw();
  },
  title: () => t("page.settings"),
  view: () =>
    frame(
      t("page.settings"),
      h(
        "div",
        { class: "stack" },
        h("section", { class: "box" }, settingsForm()),
        me(),
        !isSite && anotherDevice(),
        !isSite && otherDevices(),
        pastPeople(),
        backup?.()?.(),
        data(),
        h("p", { class: "foot" }, h("a", { href: "/privacy" }, t("page.privacy"))),
      ),
      { kind: "settings" },
    ),
};

/** @param {Partial<import("../base/storage.js").Settings>} change */
function set(change) {
  Object.assign(stored.settings, change);
  keep();
  draw();
}

/** How somebody likes the game; the table shows it too. */
export function settingsForm() {
  const { settings } = stored;
  /** @param {"theme" | "speed" | "stay"} group @returns {[string, string][]} */
  const named = (group) => CHOICES[group].map((value) => [String(value), t(`page.${group}.${value}`)]);
  /** @type {[string, string][]} */
  const languages = CHOICES.language
    .map(String)
    .map((code) => [code, code === "auto" ? t("page.language_auto") : languageName(code)]);
  return h(
    "div",
    { class: "stack" },
    choice(t("page.theme"), named("theme"), settings.theme, (theme) => paint(/** @type {"auto"} */ (theme))),
    list("language", t("page.language"), languages, settings.language, speak),
    choice(
      t("page.speed"),
      named("speed"),
      settings.speed,
      (speed) => set({ speed: /** @type {"normal"} */ (speed) }),
      t("page.speed_hint"),
    ),
    choice(t("page.stay"), named("stay"), String(settings.stay), (stay) => set({ stay: Number(stay) })),
    toggle(t("page.confirm"), t("page.confirm_hint"), settings.confirm, (confirm) => set({ confirm })),
    toggle(t("page.forced"), t("page.forced_hint"), settings.forced, (forced) => set({ forced })),
    toggle(t("page.sound"), t("page.sound_hint"), settings.sound, (sound) => set({ sound })),
    toggle(t("page.reactions"), t("page.reactions_hint"), settings.reactions, (reactions) => set({ reactions })),
    toggle(t("page.shortcuts"), t("page.shortcuts_hint"), settings.shortcuts, (shortcuts) => set({ shortcuts })),
    toggle(t("page.skip"), t("page.skip_hint"), settings.skip, (skip) => set({ skip })),
  );
}

function me() {
  return form(
    { class: "box stack" },
    rename,
    h("h2", null, t("page.me")),
    h(
      "div",
      { class: "with-button" },
      nameField("name", t("page.name"), name, (wish) => (name = wish), { placeholder: t("page.guest") }),
      h("button", { type: "submit", class: "btn" }, t("page.save")),
    ),
    stonePicker(stone, choose),
    h("p", { class: "quiet", role: "status" }, said),
    failed && trouble(failed),
  );
}

/** @param {import("../ui/stone_picker.js").Stone} wish */
async function choose(wish) {
  said = failed = "";
  try {
    stone = await chooseStone(wish);
    name = stored.name ?? "";
    said = t("page.saved");
  } catch (refused) {
    failed = whatFailed(refused);
  }
  draw();
}

async function rename() {
  said = failed = "";
  try {
    await beSomeone(name);
    name = stored.name ?? "";
    said = t("page.saved");
  } catch (refused) {
    failed = whatFailed(refused);
  }
  draw();
}

/** What the server knows, to take away or to delete. */
function data() {
  if (!stored.token) return null;
  /** @param {boolean} wish */
  const ask = (wish) => {
    sure = wish;
    draw();
  };
  return h(
    "section",
    { class: "box stack", key: "data" },
    h("h2", null, t("privacy.title")),
    !isSite && h("p", null, t("page.data_hint")),
    sure
      ? h(
          "div",
          { class: "warning stack", role: "group", "aria-labelledby": "sure" },
          h("p", { id: "sure" }, t("page.data_sure")),
          h(
            "p",
            { class: "acts" },
            button(t("page.data_keep"), () => ask(false), { focus: true }),
            button(t("privacy.delete"), remove, { class: "act" }),
          ),
        )
      : h(
          "p",
          { class: "acts" },
          !isSite && button(t("privacy.export"), take),
          button(t("privacy.delete"), () => ask(true)),
        ),
  );
}

/** Gives somebody all that the server holds about them, as a file. */
async function take() {
  try {
    const [me, figures] = await Promise.all([ask("GET /api/me"), ask("GET /api/me/figures")]);
    download("davidgoliath.json", JSON.stringify({ ...me, figures: figures.weeks }, null, 2), "application/json");
  } catch (refused) {
    failed = whatFailed(refused);
    draw();
  }
}

async function remove() {
  try {
    await ask("DELETE /api/me");
  } catch (refused) {
    if (!isUnknown(refused)) {
      failed = whatFailed(refused);
      return draw();
    }
  }
  forget();
  name = "";
  stone = null;
  sure = false;
  said = t(isSite ? "site.data_deleted" : "page.data_deleted");
  draw();
}
