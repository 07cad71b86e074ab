// A table for friends: who may come, by which rules, in how much time.

import { h } from "../base/dom.js";
import { HIGHEST_TARGET, MOST_DEALS, OPTIONS, PLAYERS, PRESETS } from "../base/facts.js";
import { needsServer } from "../base/friends_way.js";
import { remember, tableOfMine, whatFailed } from "../base/person.js";
import { draw, go } from "../base/router.js";
import { keep, stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { botPicker, botsFor, learnOffer, mixFor, offer } from "../ui/bots.js";
import { choice, field, form, nameField, toggle, trouble } from "../ui/forms.js";
import { frame } from "../ui/frame.js";

const TIMES = ["", "30", "60", "120"];

/** What is wished; an empty option is left to the preset. */
const wish = {
  ...{ name: "", players: 4, bots: 0, bot: "", preset: "classic", seconds: "" },
  ...{ takeover: false, hints: false, public: false },
};

/** @type {Record<"deals" | "target_score" | "lowest_card_to" | "all_equal", string>} */
const options = { deals: "", target_score: "", lowest_card_to: "", all_equal: "" };
let busy = false;
let failed = "";

/** @type {import("../base/router.js").Page} */
export const page = {
  async enter() {
    busy = false;
    failed = "";
    wish.name = stored.name ?? "";
    wish.bot = stored.last.bot;
    learnOffer();
    if (stored.name || !stored.token) return;
    await remember().catch(whatFailed);
    wish.name = stored.name ?? "";
    draw();
  },
  title: () => t("page.friends"),
  view: () => frame(t("page.friends"), needsServer ? needsServer() : ownTable(), { kind: "friends" }),
};

const ownTable = () =>
  form(
    { class: "stack" },
    make,
    h(
      "section",
      { class: "box stack" },
      nameField("name", t("page.name"), wish.name, (name) => (wish.name = name), { placeholder: t("page.guest") }),
      seats(),
    ),
    h("section", { class: "box stack" }, rules(), details()),
    h("section", { class: "box stack" }, habits()),
    failed && trouble(failed),
    h("button", { type: "submit", class: "btn act big", disabled: busy }, t("page.friends_make")),
  );

/** @param {Partial<typeof wish>} change */
function set(change) {
  Object.assign(wish, change);
  wish.bots = Math.min(wish.bots, wish.players - 2);
  draw();
}

function seats() {
  const numbers = Array.from({ length: wish.players - 1 }, (_, number) => String(number));
  return [
    choice(
      t("page.players"),
      PLAYERS.map((number) => [String(number), number]),
      String(wish.players),
      (players) => set({ players: Number(players) }),
    ),
    choice(
      t("page.friends_bots"),
      numbers.map((number) => [number, number]),
      String(wish.bots),
      (bots) => set({ bots: Number(bots) }),
    ),
    wish.bots > 0 && botPicker(t("page.bots"), mixFor(wish.bot), (bot) => set({ bot }), wish.bots > 1),
  ];
}

/** The presets, each with a sentence. */
function rules() {
  return h(
    "fieldset",
    { class: "presets" },
    h("legend", null, t("page.rules")),
    Object.keys(PRESETS).map((preset) =>
      h(
        "label",
        { key: preset, class: "preset" },
        h("input", {
          type: "radio",
          name: "preset",
          value: preset,
          checked: preset === wish.preset,
          on: { change: () => set({ preset }) },
        }),
        h("span", null, h("b", null, t(`page.preset.${preset}`)), h("small", null, t(`page.preset_hint.${preset}`))),
      ),
    ),
  );
}

function details() {
  /** @param {keyof typeof OPTIONS} name @returns {[string, string][]} */
  const values = (name) => [
    ["", t("page.option_preset")],
    ...OPTIONS[name].map((value) => /** @type {[string, string]} */ ([value, t(`page.option.${name}.${value}`)])),
  ];
  /** @param {keyof typeof options} name */
  const change = (name) => (/** @type {string} */ value) => {
    options[name] = value;
    draw();
  };
  const number = { type: "number", inputmode: "numeric", min: 1, placeholder: t("page.option_preset") };
  return h(
    "details",
    null,
    h("summary", null, t("page.options")),
    h(
      "div",
      { class: "stack" },
      field("deals", t("page.option_deals"), options.deals, change("deals"), { ...number, max: MOST_DEALS }),
      field("target", t("page.option_target_score"), options.target_score, change("target_score"), {
        ...number,
        max: HIGHEST_TARGET,
        placeholder: t("page.option_none"),
      }),
      choice(
        t("page.option_lowest_card_to"),
        values("lowest_card_to"),
        options.lowest_card_to,
        change("lowest_card_to"),
      ),
      choice(
        t("page.option_all_equal"),
        values("all_equal"),
        options.all_equal,
        change("all_equal"),
        t("page.option_all_equal_hint"),
      ),
    ),
  );
}

function habits() {
  return [
    choice(
      t("page.time"),
      TIMES.map((seconds) => [seconds, timeName(seconds)]),
      wish.seconds,
      (seconds) => set({ seconds }),
    ),
    toggle(t("page.takeover"), t("page.takeover_hint"), wish.takeover, (takeover) => set({ takeover })),
    offer.study && toggle(t("page.hints"), t("page.hints_hint"), wish.hints, (hints) => set({ hints })),
    offer.public_list &&
      toggle(t("page.public"), t("page.public_hint"), wish.public, (listed) => set({ public: listed })),
  ];
}

/** How long a turn may take, in words. @param {string} seconds */
export function timeName(seconds) {
  if (!seconds) return t("page.time_none");
  return Number(seconds) % 120
    ? t("page.time_seconds", { seconds })
    : t("page.time_minutes", { minutes: Number(seconds) / 60 });
}

async function make() {
  if (busy) return;
  busy = true;
  failed = "";
  draw();
  const changed = Object.entries(options).filter(([, value]) => value);
  const open = wish.players - wish.bots;
  try {
    await learnOffer(); // a bot that isn't there would be refused
    const path = await tableOfMine(
      {
        seats: [...Array(open).fill(null), ...botsFor(wish.bot, wish.bots)],
        rules: [wish.preset, ...changed.map(([name, value]) => `${name}=${value}`)].join(" "),
        turn_seconds: wish.seconds ? Number(wish.seconds) : null,
        takeover: wish.takeover,
        hints: wish.hints && offer.study,
        public: wish.public && offer.public_list,
      },
      wish.name,
    );
    stored.last.bot = mixFor(wish.bot);
    keep();
    go(path);
  } catch (refused) {
    busy = false;
    failed = whatFailed(refused);
    draw();
  }
}
