// Made from the program by `./dg docs`: what the page knows before any server says something.

/** The version of what is said. */
export const PROTOCOL = 1;
/** Those that there are texts in. */
export const LANGUAGES = ["de", "en", "fr", "it", "pl"];
/** @type {import("./protocol").Say["emote"][]} */
export const EMOTES = ["hello", "well_played", "thanks", "oops", "wow", "hurry", "sorry", "good_game"];
/** How many may play. */
export const PLAYERS = [3, 4, 5, 6];
/** Before a bot's name, where a person's id could stand. */
export const BOT = "bot:";
/** Bots for studies, not for company. */
export const APART = ["random", "reference"];
/** What a server says of itself that was started without options. */
export const OFFER = {
  bots: ["random", "beginner", "casual", "regular", "club", "adept", "expert", "master"],
  public_list: false,
  unstarted_days: 1,
  idle_days: 30,
  pace: 1000,
  scores_seconds: 30.0,
  answer_seconds: 60.0,
  site: null,
  study: false,
  figures_days: 365,
};
/** What the bot at each seat is called. */
export const STONES = ["Flint", "Onyx", "Agate", "Slate", "Opal", "Jade"];
/** @type {import("./protocol").Form[]} Of people's own stones. */
export const FORMS = ["round", "flat", "tall", "square", "hexagon", "bean"];
/** @type {import("./protocol").Rim[]} */
export const RIMS = ["orange", "cyan", "berry", "olive", "chalk", "ink"];
/** Characters of a person's name. */
export const LONGEST_NAME = 20;
/** Characters of a name in a record, or on a pad. */
export const LONGEST_TEXT = 100;
/** Letters of the code by which a waiting table is found. */
export const CODE_LENGTH = 6;
/** Of a match. */
export const MOST_DEALS = 20;
/** A total that ends a match can't be higher. */
export const HIGHEST_TARGET = 9999;
/** What rule options may be that are words. */
export const OPTIONS = {
  lowest_card_to: ["goliath", "david"],
  all_equal: ["split", "sweep"],
};
/** Combinations of rule options; the first is what is meant without one. */
export const PRESETS = {
  classic: { deals: "players", target_score: null, lowest_card_to: "goliath", all_equal: "split" },
  single: { deals: 1, target_score: null, lowest_card_to: "goliath", all_equal: "split" },
  manual: { deals: 1, target_score: null, lowest_card_to: "david", all_equal: "split" },
};
/** Those of the examples in the rules, with Goliath and David marked. */
export const TRICKS = ["G4 G9+ R2- G7", "G4 G12+ G7 R2 G2-"];
/** The highest value in the deck of the first one. */
export const TRICKS_HIGHEST = 12;
/** The pile of the examples, by colour. */
export const PILE = {
  R: { values: [4, 10, 11], worth: 3, next: 1 },
  Y: { values: [8], worth: 8, next: null },
  G: { values: [5, 9], worth: 14, next: -11 },
  B: { values: [2, 3, 6, 10, 12], worth: 5, next: 1 },
  V: { values: [10, 12], worth: 22, next: -19 },
};
/** What it is worth. */
export const PILE_SCORE = 52;
/** As it grows. */
export const CAIRNS = {
  one: { values: [4], worth: 4, next: null },
  two: { values: [4, 10], worth: 14, next: -11 },
  three: { values: [4, 10, 11], worth: 3, next: 1 },
};
