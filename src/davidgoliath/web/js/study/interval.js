// A mean and between what it lies, by Student's t: the same as the program says (`study/intervals.py`).

const Z = 1.959963985;
/** From fewer values on there is no interval worth its name. */
const FEWEST = 4;

/** What 97.5 % of Student's t are below: the expansion of Cornish and Fisher. @param {number} n  degrees of freedom */
const quantile = (n) =>
  Z +
  (Z ** 3 + Z) / (4 * n) +
  (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * n ** 2) +
  (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * n ** 3) +
  (79 * Z ** 9 + 776 * Z ** 7 + 1482 * Z ** 5 - 1920 * Z ** 3 - 945 * Z) / (92160 * n ** 4);

/**
 * Of independent values, from their sums.
 * @param {number} count @param {number} sum @param {number} squares
 */
export function meanOf(count, sum, squares) {
  if (count < FEWEST) return null;
  const value = sum / count;
  const half = quantile(count - 1) * Math.sqrt(Math.max(0, squares / count - value ** 2) / (count - 1));
  return { value, low: value - half, high: value + half };
}
