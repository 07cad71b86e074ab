// Recomputes the shuffles of a table in the browser, as docs/fairness.md says: from the secret and the players' shares
// to the hands, and from the secret to what the server had fixed before each deal. It is arithmetic, and no rule of the
// game.

import { ask, Refused } from "../base/api.js";
import { COLOURS } from "../base/cards.js";
import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { language, t } from "../base/texts.js";
import { happened, isPerson, newGame } from "../table/game.js";
import { isIn } from "../table/shuffle_shares.js";
import { button, icon } from "../ui/pieces.js";

/**
 * @typedef {import("../table/game.js").Deal} Deal
 * @typedef {{ match: string, number: number, dealer: number, shares: (string | null)[], line: string }} Shuffle
 * @typedef {{ key: string, values?: Record<string, number> }} Finding
 * @typedef {object} Verdict
 * @property {number} deal
 * @property {boolean} aborted
 * @property {Finding[]} flaws        what differs
 * @property {number[]} leftOut       people whose share is not in it
 * @property {boolean | null} mine    whether this browser's share is in it; null if it sent none
 */

const HAND = 15;
const SHARE = "(?:-|[0-9a-f]{32})";
const LINE = new RegExp(
  "^sha256/1 match=([A-Za-z0-9_-]{1,40}) shuffle=([1-9][0-9]{0,3}) dealer=([0-9]) " +
    `shares=(${SHARE}(?:,${SHARE})*) secret=[0-9a-f]{64}$`,
);

/** @param {Uint8Array<ArrayBuffer>} bytes */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
/** @param {string} text */
const ascii = (text) => new TextEncoder().encode(text);
/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What a shuffle's text says, if it is one. @param {string} line @returns {Shuffle | null} */
function read(line) {
  const found = LINE.exec(line);
  if (!found) return null;
  const shares = found[4].split(",").map((share) => (share === "-" ? null : share));
  return { match: found[1], number: Number(found[2]), dealer: Number(found[3]), shares, line };
}

/** What the server published before the deal. @param {Shuffle} shuffle */
const commitmentOf = async ({ line }) => hex(await sha256(ascii(line.replace(/shares=\S+ /, ""))));

/** The hands that follow from a shuffle. @param {Shuffle} shuffle */
async function handsOf({ line, shares }) {
  const cards = COLOURS.flatMap((colour) =>
    Array.from({ length: 3 * shares.length }, (_, value) => `${colour}${value + 1}`),
  );
  const next = await streamOf(line);
  for (let last = cards.length - 1; last > 0; last--) {
    const fair = 256 - (256 % (last + 1));
    let byte = await next();
    while (byte >= fair) byte = await next();
    const place = byte % (last + 1);
    [cards[last], cards[place]] = [cards[place], cards[last]];
  }
  return shares.map((_, seat) => cards.slice(HAND * seat, HAND * (seat + 1)));
}

/** Bytes without end. @param {string} line */
async function streamOf(line) {
  const input = new Uint8Array(36);
  input.set(await sha256(ascii(line)));
  let block = new Uint8Array();
  let used = 0;
  let number = 0;
  return async () => {
    if (used === block.length) {
      new DataView(input.buffer).setUint32(32, number++);
      [block, used] = [await sha256(input), 0];
    }
    return block[used++];
  };
}

/** @param {string[]} one @param {string[]} other */
const same = (one, other) => one.length === other.length && new Set([...one, ...other]).size === one.length;

/**
 * What agrees in a deal and what doesn't.
 * @param {Deal} deal @param {string} table @param {(string | null)[]} players  who was dealt it
 * @param {string | undefined} seen  the commitment that this page heard itself
 * @returns {Promise<Verdict>}
 */
async function judge(deal, table, players, seen) {
  /** @type {Finding[]} */
  const flaws = [];
  const verdict = {
    deal: deal.deal,
    aborted: deal.aborted,
    flaws,
    leftOut: /** @type {number[]} */ ([]),
    mine: /** @type {boolean | null} */ (null),
  };
  const shuffle = read(deal.shuffle);
  if (!shuffle || shuffle.shares.length !== deal.hands.length) {
    flaws.push({ key: "page.verify_unreadable" });
    return verdict;
  }
  const commitment = await commitmentOf(shuffle);
  if (commitment !== deal.commitment || (seen && commitment !== seen)) flaws.push({ key: "page.verify_commitment" });
  if (shuffle.match !== table || shuffle.number < deal.deal) flaws.push({ key: "page.verify_match" });
  if (shuffle.dealer !== deal.dealer) flaws.push({ key: "page.verify_dealer", values: { seat: shuffle.dealer } });
  verdict.mine = isIn(commitment, shuffle.shares);
  const hands = await handsOf(shuffle);
  for (const [seat, hand] of hands.entries())
    if (!same(hand, deal.hands[seat])) flaws.push({ key: "page.verify_hand", values: { seat } });
  for (const [seat, share] of shuffle.shares.entries()) {
    if (share && !isPerson(players[seat])) flaws.push({ key: "page.verify_bot_share", values: { seat } });
    if (!share && isPerson(players[seat])) verdict.leftOut.push(seat);
  }
  return verdict;
}

/**
 * Checks all deals of a table's replay.
 * @param {string} table @param {import("../base/protocol").Told[]} events @param {string[]} seen
 */
async function verify(table, events, seen) {
  const game = newGame(table);
  /** @type {(string | null)[][]} */
  const dealtTo = [];
  for (const told of events) {
    happened(game, told);
    if (told.event.type === "dealt") dealtTo.push(game.chairs.map((chair) => chair.player));
  }
  const found = await Promise.all(game.deals.map((deal, place) => judge(deal, table, dealtTo[place], seen[place])));
  const numbers = game.deals.map((deal) => read(deal.shuffle)?.number);
  for (const [place, number] of numbers.entries())
    if (number && number !== place + 1)
      found[place].flaws.push({ key: "page.verify_number", values: { number, place: place + 1 } });
  return found;
}

/** @type {{ table: string, busy: boolean, found: Verdict[] | null, trouble: string }} */
let state = { table: "", busy: false, found: null, trouble: "" };

/** @param {string} table @param {string[]} seen */
async function start(table, seen) {
  const own = { table, busy: true, found: /** @type {Verdict[] | null} */ (null), trouble: "" };
  state = own;
  draw();
  try {
    own.found = await verify(table, (await ask("GET /api/tables/{table}/replay", { table })).events, seen);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    own.trouble = refused.message;
  } finally {
    own.busy = false;
  }
  draw();
  queueMicrotask(() => document.getElementById("verified")?.scrollIntoView({ block: "nearest" }));
}

/**
 * The button that checks; none where the browser can't, without https.
 * @param {string} table
 * @param {string[]} [seen] commitments heard before
 */
export function verifyButton(table, seen = []) {
  if (!isSecureContext) return null;
  return button([icon("check"), t("page.verify")], () => start(table, seen), {
    key: "verify",
    "data-act": "verify",
    "aria-busy": String(state.busy && state.table === table),
  });
}

/** What came of it, in words. @param {string} table @param {(seat: number) => string} name */
export function verdicts(table, name) {
  const mine = state.table === table;
  const found = mine ? state.found : null;
  const fair = found?.every((verdict) => !verdict.flaws.length);
  return h(
    "div",
    { role: "status", id: "verified", key: "verified" },
    mine && state.busy && h("p", { class: "box quiet" }, t("page.verify_busy")),
    mine && state.trouble && h("p", { class: "box" }, state.trouble),
    found &&
      h(
        "section",
        { class: "box verified", "data-fair": String(fair) },
        h("h2", null, t(!found.length ? "page.verify_nothing" : fair ? "page.verify_fair" : "page.verify_unfair")),
        h(
          "ul",
          null,
          found.map((verdict, place) => h("li", { key: place }, oneVerdict(verdict, name))),
        ),
        found.length > 0 && h("p", { class: "quiet" }, t("page.verify_what")),
      ),
  );
}

/** @param {Verdict} verdict @param {(seat: number) => string} name */
function oneVerdict({ deal, aborted, flaws, leftOut, mine }, name) {
  const names = new Intl.ListFormat(language()).format(leftOut.map(name));
  return [
    h("b", null, t(aborted ? "page.deal_number_aborted" : "page.deal_number", { deal })),
    h(
      "span",
      null,
      flaws.length
        ? flaws
            .map(({ key, values = {} }) => t(key, "seat" in values ? { ...values, name: name(values.seat) } : values))
            .join(" ")
        : t("page.verify_agrees"),
    ),
    mine !== null &&
      h("span", { class: mine ? "" : "quiet" }, t(mine ? "page.verify_share_in" : "page.verify_share_out")),
    leftOut.length > 0 && h("span", { class: "quiet" }, t("page.verify_left_out", { names })),
  ];
}
