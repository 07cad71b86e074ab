// When a card without an alternative plays itself. Wherever somebody could learn from it that there was no alternative,
// it waits like a choice: as long as its person took for one lately.

const LATELY = 12;
const ENOUGH = 5;
/** Milliseconds, while there were hardly any choices yet. */
const AT_FIRST = [1000, 4000];
const SHORTEST = 500;
const LONGEST = 8000;
/** By which part of it a time is longer or shorter than the one that it follows. */
const SPREAD = 0.2;

export class Patience {
  /** @param {() => number} [random] */
  constructor(random = Math.random) {
    this.random = random;
    /** @type {number[]} how long the last choices took */
    this.taken = [];
    /** @type {string | null} */
    this.turn = null;
    this.since = 0;
    this.wait = 0;
  }

  /** A turn is there, and has been shown since now if it is a new one. @param {string} turn @param {number} now */
  see(turn, now) {
    if (turn === this.turn) return;
    Object.assign(this, { turn, since: now, wait: this.draw() });
  }

  /** The person has chosen one of several cards. @param {number} now */
  chose(now) {
    if (this.turn === null) return;
    this.taken = [...this.taken, now - this.since].slice(-LATELY);
  }

  /**
   * How many milliseconds a single card still waits; it may wait so long in all.
   * @param {number} now
   * @param {number} most
   */
  left(now, most) {
    return Math.max(0, this.since + Math.min(this.wait, most) - now);
  }

  draw() {
    const [least, most] = AT_FIRST;
    if (this.taken.length < ENOUGH) return least + (most - least) * this.random();
    const like = this.taken[Math.floor(this.taken.length * this.random())];
    return Math.min(LONGEST, Math.max(SHORTEST, like * (1 + SPREAD * (2 * this.random() - 1))));
  }
}
