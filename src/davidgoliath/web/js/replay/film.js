// A replay as a list of stops. The page folds events up to a stop and shows what is there: it holds no rules. Cards
// that were taken back are left out, so that a deal is told as it was played in the end.

import { happened, newGame } from "../table/game.js";

/**
 * @typedef {import("../table/game.js").Game} Game
 * @typedef {{ deal: number, aborted: boolean, first: number, last: number, tricks: number[] }} Chapter
 *   a deal: its first and last stop, and the stops where its tricks are complete
 */

export class Film {
  /** @param {import("../base/protocol").Replay} replay @param {string | null} you */
  constructor({ welcome, names, stones, events }, you) {
    this.start = () =>
      Object.assign(newGame(welcome.table), {
        you,
        names,
        stones: stones ?? {},
        highest: welcome.highest,
        most: welcome.deals,
        target: welcome.target,
      });
    this.events = asPlayed(events);
    /** @type {number[]} how many events each stop is made of */
    this.stops = this.events.flatMap(({ event }, place) =>
      event.type === "dealt" || event.type === "played" ? [place + 1] : [],
    );
    this.chapters = this.cut();
  }

  /** @returns {Chapter[]} */
  cut() {
    /** @type {Chapter[]} */
    const chapters = [];
    let stop = -1;
    for (const { event, took } of this.events) {
      const chapter = chapters[chapters.length - 1];
      if (event.type === "dealt")
        chapters.push({ deal: event.deal, aborted: false, first: ++stop, last: stop, tricks: [] });
      else if (event.type === "played") chapter.last = ++stop;
      else if (event.type === "aborted" && chapter) chapter.aborted = true;
      if (took) chapter.tricks.push(stop);
    }
    return chapters;
  }

  /** The deal that a stop belongs to. @param {number} stop */
  chapterAt(stop) {
    return this.chapters.findLast((chapter) => chapter.first <= stop) ?? this.chapters[0];
  }

  /** The stop where a trick is complete. @param {number} deal @param {number} trick  both from 1 */
  endOf(deal, trick) {
    return this.chapters.find((chapter) => chapter.deal === deal && !chapter.aborted)?.tricks[trick - 1];
  }

  /** Those that were played to their end. */
  get deals() {
    const isWhole = (/** @type {Chapter} */ { aborted, first, last }) => !aborted && last > first;
    return this.chapters.filter(isWhole).map(({ deal }) => deal);
  }

  /** Where a deal begins. @param {number} deal */
  startOf(deal) {
    return this.chapters.find((chapter) => chapter.deal === deal && !chapter.aborted)?.first ?? 0;
  }

  /** The stop before a card of a deal. @param {number} deal @param {string} card */
  before(deal, card) {
    const start = this.startOf(deal);
    const later = this.stops.slice(start + 1).findIndex((place) => {
      const { event } = this.events[place - 1];
      return event.type === "played" && event.card === card;
    });
    return start + Math.max(0, later);
  }

  /** The table at a stop. @param {number} stop @returns {Game} */
  at(stop) {
    const game = this.start();
    for (const told of this.events.slice(0, this.stops[stop])) happened(game, told);
    return game;
  }

  /** The table when all was over. */
  get end() {
    const game = this.start();
    for (const told of this.events) happened(game, told);
    return game;
  }
}

/** Without what was taken back. @param {import("../base/protocol").Told[]} events */
function asPlayed(events) {
  const kept = [...events];
  for (let place = 0; place < kept.length; place++) {
    const { event } = kept[place];
    if (event.type !== "undone") continue;
    let count = event.cards;
    kept.splice(place--, 1);
    for (let back = place; count > 0; back--) {
      if (kept[back].event.type !== "played") continue;
      kept.splice(back, 1);
      place--;
      count--;
    }
  }
  return kept;
}
