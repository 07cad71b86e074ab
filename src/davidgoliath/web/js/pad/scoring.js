// What a score pad comes to: the one rule of the game in JavaScript, so that the pad needs no network. It stands alone,
// and a test compares all that it says with `rules`.

/**
 * @typedef {number[][]} Pile
 *   what somebody captured: in each colour the values, and 0 for a card whose value wasn't noted
 * @typedef {object} Pad
 * @property {string[]} names
 * @property {{ preset?: string, deals?: number | "players", target_score?: number | null }
 *   & Record<string, unknown>} rules
 * @property {number} dealer     who deals first
 * @property {Pile[][]} deals    for each deal and seat what was captured
 *
 * @typedef {object} Reckoned    a deal
 * @property {number} dealer
 * @property {number} leader     who leads to the first trick
 * @property {(number | null)[][]} points  by seat and colour: null where one or two cards
 *   count their values, and not all are noted
 * @property {number[]} scores   as far as they are known
 * @property {number[]} left     in each colour how many cards belong to nobody yet
 * @property {boolean} complete  every card belongs to someone, and every value that counts is known
 */

/**
 * Every deal of a pad, and the match. The deal after the last one is in `next`, for those who are about to deal.
 * @param {Pad} pad
 */
export function reckon({ names, rules, dealer, deals }) {
  const players = names.length;
  const highest = 3 * players; // rule 1
  const preset = rules.preset ?? "classic";
  const length = rules.deals ?? (preset === "classic" ? "players" : 1);
  const most = length === "players" ? players : length; // rule 14
  const totals = names.map(() => 0);

  /** @param {Pile[]} piles @param {number} number @returns {Reckoned} */
  const deal = (piles, number) => {
    // rule 13: one or two cards of a colour count their values, more count 1 point each
    const points = piles.map((pile) =>
      pile.map((values) => (values.length > 2 ? values.length : values.includes(0) ? null : sum(values))),
    );
    const scores = points.map((worths) => sum(worths.map(Number)));
    const left = [0, 1, 2, 3, 4].map((colour) => highest - sum(piles.map((pile) => pile[colour].length)));
    const complete = left.every((count) => count === 0) && points.every((worths) => !worths.includes(null));
    for (const [seat, score] of complete ? scores.entries() : []) totals[seat] += score;
    return { ...turns(number), points, scores, left, complete };
  };
  /** The deal passes to the left, and whoever sits left of the dealer leads (rule 3). @param {number} number */
  const turns = (number) => ({ dealer: (dealer + number) % players, leader: (dealer + number + 1) % players });

  const reckoned = deals.map(deal);
  const complete = reckoned.every((deal) => deal.complete);
  const ends =
    reckoned.filter((deal) => deal.complete).length >= most || Math.max(...totals) >= (rules.target_score ?? Infinity);
  return {
    highest,
    most,
    deals: reckoned,
    next: turns(deals.length),
    totals,
    places: totals.map((total) => 1 + totals.filter((other) => other > total).length),
    over: complete && ends,
  };
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
