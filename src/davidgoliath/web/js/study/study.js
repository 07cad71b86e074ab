// What the server has worked out of a match for one seat, deal by deal, asked for again until it is done.

import { ask, Refused } from "../base/api.js";
import { meanOf } from "./interval.js";

/**
 * @typedef {import("../base/protocol").ReviewBody} Seen   what is said of a deal
 * @typedef {import("../base/protocol").ChoiceShown} Choice
 * @typedef {{ seen: Seen, choice: Choice }} Costly
 * @typedef {{ done: number, seen: Seen | null, failed: Refused | null }} Part  of the work: how much is done, what came
 *   of it, and why there is no more just now
 * @typedef {{ value: number, low: number, high: number }} Estimate
 */

/** Milliseconds until one asks again: first results come soon, better ones later. */
const AGAIN = { least: 400, most: 2500 };
/** After these one asks again without being told to. */
const PASSING = ["offline", "trouble", "too_many_reviews", "too_many_requests"];
/** So often one asks what else there is: a server has the ladder once its judge is loaded. */
const LISTS = 20;
const ERRORS = ["inaccuracy", "mistake", "blunder"];

export class Study {
  /** @param {string} table @param {number} seat @param {number[]} deals @param {() => void} changed */
  constructor(table, seat, deals, changed) {
    this.table = table;
    this.seat = seat;
    this.changed = changed;
    /** @type {Map<number, Part>} by deal */
    this.deals = new Map(deals.map((deal) => [deal, { done: 0, seen: null, failed: null }]));
    /** @type {import("../base/protocol").ReviewList | null} */
    this.list = null;
    /** @type {Refused | null} why it couldn't be shared */
    this.unshared = null;
    this.wait = AGAIN.least;
    this.lists = LISTS;
    this.timer = 0;
    this.here = true;
    void this.look();
  }

  stop() {
    this.here = false;
    clearTimeout(this.timer);
  }

  /** What there is so far, in the order of deals. */
  get seen() {
    return [...this.deals.values()].flatMap(({ seen }) => seen ?? []);
  }

  /** Which part of the work is done, from 0 to 1. */
  get share() {
    const all = [...this.deals.values()];
    return all.length ? all.reduce((sum, { done }) => sum + done, 0) / all.length : 1;
  }

  get isDone() {
    return this.share === 1;
  }

  /** Deals of which there will be more without anybody's doing. */
  get open() {
    return [...this.deals]
      .filter(([, { done, failed }]) => done < 1 && (!failed || PASSING.includes(failed.reason)))
      .map(([deal]) => deal);
  }

  /** Why there is no more just now. */
  get failed() {
    return this.unshared ?? [...this.deals.values()].find(({ failed }) => failed)?.failed ?? null;
  }

  /** Asks for all that isn't final. */
  async look() {
    clearTimeout(this.timer);
    await Promise.all([...this.open.map((deal) => this.lookAt(deal)), this.needsList && this.lookAtList()]);
    if (!this.here) return;
    if (this.open.length || this.needsList) {
      this.timer = setTimeout(() => this.look(), this.wait);
      this.wait = Math.min(AGAIN.most, 1.3 * this.wait);
    }
    this.changed();
  }

  /** Whether it is still to be heard what others there are, or what bots lose. */
  get needsList() {
    return this.lists > 0 && !Object.keys(this.list?.ladder ?? {}).length;
  }

  async lookAtList() {
    this.lists--;
    const found = await heard(ask("GET /api/tables/{table}/reviews", { table: this.table }));
    if (!(found instanceof Refused)) this.list = found;
  }

  /** Everyone who has the link may see it, or nobody else. @param {boolean} wish */
  async letOthersSee(wish) {
    const { table } = this;
    const now = await heard(ask("POST /api/tables/{table}/sharing", { table, body: { is_shared: wish } }));
    this.unshared = now instanceof Refused ? now : null;
    if (this.list && !(now instanceof Refused)) this.list = { ...this.list, ...now };
    this.changed();
  }

  /** @param {number} deal */
  async lookAt(deal) {
    const { table, seat } = this;
    const part = /** @type {Part} */ (this.deals.get(deal));
    const shown = await heard(ask("POST /api/tables/{table}/reviews", { table, body: { deal, seat } }));
    part.failed = shown instanceof Refused ? shown : null;
    if (!(shown instanceof Refused)) {
      const isOver = shown.stage === "final" || shown.stage === "none"; // nobody works on it, and who looks can't begin
      part.done = isOver ? 1 : Math.min(shown.done, 0.99);
      part.seen = shown.review ?? part.seen;
    }
    if (this.here) this.changed();
  }
}

/** An answer, or why there is none. @template T @param {Promise<T>} answer @returns {Promise<T | Refused>} */
const heard = (answer) =>
  answer.catch((refused) => {
    if (refused instanceof Refused) return refused;
    throw refused;
  });

/** Whether a choice is called an error. @param {{ grade: string }} choice */
export const isError = ({ grade }) => ERRORS.includes(grade);

/** All errors, in the order of play. @param {Seen[]} all @returns {Costly[]} */
export const errorsOf = (all) =>
  all.flatMap((seen) => seen.choices.filter(isError).map((choice) => ({ seen, choice })));

/** The parts of a result over several deals. @param {Seen[]} all */
export function sumOf(all) {
  const ledgers = all.flatMap(({ ledger }) => ledger ?? []);
  if (!ledgers.length) return null;
  const sum = (/** @type {"dealt" | "own" | "others" | "result"} */ part) =>
    ledgers.reduce((whole, ledger) => whole + ledger[part], 0);
  return { dealt: sum("dealt"), own: sum("own"), others: sum("others"), result: sum("result") };
}

/** Points lost per choice over several deals. @param {Seen[]} all */
export function lostOf(all) {
  const losses = all.flatMap(({ choices }) => choices.map(({ loss }) => loss));
  const sum = (/** @type {number[]} */ values) => values.reduce((whole, value) => whole + value, 0);
  return meanOf(losses.length, sum(losses), sum(losses.map((loss) => loss ** 2)));
}

/** What each level of the ladder loses per choice. @param {Study} study @returns {Record<string, number>} */
export const ladderOf = ({ list }) =>
  Object.fromEntries(Object.entries(list?.ladder ?? {}).map(([level, { value }]) => [level, value]));
