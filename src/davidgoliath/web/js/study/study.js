// What the server has worked out of a match for one seat, deal by deal, asked for again until it is done.

import { ask, Refused } from "../base/api.js";

/**
 * @typedef {import("../base/protocol").ReviewBody} Seen   what is said of a deal
 * @typedef {import("../base/protocol").ChoiceShown} Choice
 * @typedef {{ seen: Seen, choice: Choice }} Costly
 * @typedef {{ done: number, seen: Seen | null }} Part  of the work: how much is done, and what came of it
 * @typedef {{ value: number, low: number, high: number }} Estimate
 */

/** Milliseconds until one asks again: first results come soon, better ones later. */
const AGAIN = { least: 400, most: 2500 };
/** After these one asks again without being told to. */
const PASSING = ["offline", "trouble", "too_many_reviews", "too_many_requests"];
/** So often one asks for the ladder: a server has it once its judge is loaded. */
const LADDER = 20;
const ERRORS = ["inaccuracy", "mistake", "blunder"];

export class Study {
  /** @param {string} table @param {number} seat @param {number[]} deals @param {() => void} changed */
  constructor(table, seat, deals, changed) {
    this.table = table;
    this.seat = seat;
    this.changed = changed;
    /** @type {Map<number, Part>} by deal */
    this.deals = new Map(deals.map((deal) => [deal, { done: 0, seen: null }]));
    /** @type {import("../base/protocol").ReviewList | null} */
    this.list = null;
    /** @type {Refused | null} why there is no more of it just now */
    this.failed = null;
    this.wait = AGAIN.least;
    this.ladder = LADDER;
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

  /** Whether there will be more without anybody's doing. */
  get goesOn() {
    return !this.isDone && (!this.failed || PASSING.includes(this.failed.reason));
  }

  again() {
    this.wait = AGAIN.least;
    return this.look();
  }

  /** Asks for all that isn't final. */
  async look() {
    clearTimeout(this.timer);
    const open = [...this.deals].filter(([, { done }]) => done < 1);
    /** @type {Refused | null} */
    let failed = null;
    const asking = open.map(([deal]) => this.lookAt(deal));
    if (!this.list || this.needsLadder) asking.push(this.lookAtList());
    for (const { reason } of (await Promise.allSettled(asking)).filter((one) => one.status === "rejected")) {
      if (!(reason instanceof Refused)) throw reason;
      failed ??= reason;
    }
    if (!this.here) return;
    this.failed = failed;
    if (this.goesOn || this.needsLadder) {
      this.timer = setTimeout(() => this.look(), this.wait);
      this.wait = Math.min(AGAIN.most, 1.3 * this.wait);
    }
    this.changed();
  }

  /** Whether it is still to be heard what bots lose. */
  get needsLadder() {
    return this.list !== null && !Object.keys(this.list.ladder).length && this.ladder > 0;
  }

  async lookAtList() {
    this.ladder--;
    this.list = await ask("GET /api/tables/{table}/reviews", { table: this.table });
  }

  /** Everyone who has the link may see it, or nobody else. @param {boolean} wish */
  async letOthersSee(wish) {
    const { table } = this;
    try {
      const { is_shared } = await ask("POST /api/tables/{table}/sharing", { table, body: { is_shared: wish } });
      if (this.list) this.list = { ...this.list, is_shared };
      this.failed = null;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      this.failed = refused;
    }
    this.changed();
  }

  /** @param {number} deal */
  async lookAt(deal) {
    const { table, seat } = this;
    const { stage, done, review } = await ask("POST /api/tables/{table}/reviews", { table, body: { deal, seat } });
    const seen = review ?? this.deals.get(deal)?.seen ?? null;
    const isOver = stage === "final" || stage === "none"; // nobody works on it, and whoever only looks can't begin it
    this.deals.set(deal, { done: isOver ? 1 : Math.min(done, 0.99), seen });
    if (this.here) this.changed();
  }
}

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

/** Points lost per choice over several deals, which have nothing to do with each other. @param {Seen[]} all */
export function lostOf(all) {
  const parts = all.flatMap(({ choices, lost_per_choice: value, low, high }) =>
    value === null || low === null || high === null ? [] : [{ count: choices.length, value, half: (high - low) / 2 }],
  );
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (!count) return null;
  const value = parts.reduce((sum, part) => sum + part.count * part.value, 0) / count;
  const half = Math.hypot(...parts.map((part) => part.count * part.half)) / count;
  return { value, low: value - half, high: value + half };
}

/** What each level of the ladder loses per choice. @param {Study} study @returns {Record<string, number>} */
export const ladderOf = ({ list }) =>
  Object.fromEntries(Object.entries(list?.ladder ?? {}).map(([level, { value }]) => [level, value]));
