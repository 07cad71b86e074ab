// This browser's shares in the shuffles, by what the server had fixed before: kept, so that one can see later that they
// count.

import { keep, stored } from "../base/storage.js";

const MOST = 60;

/** The share for a shuffle: the same one, however often it is asked for. @param {string} commitment */
export function shareFor(commitment) {
  const kept = stored.shares?.[commitment];
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const share = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  stored.shares = Object.fromEntries([...Object.entries(stored.shares ?? {}), [commitment, share]].slice(-MOST));
  keep();
  return share;
}

/**
 * Whether this browser's share is in a shuffle; null if it sent none.
 * @param {string} commitment
 * @param {(string | null)[]} shares
 */
export function isIn(commitment, shares) {
  const kept = stored.shares?.[commitment];
  return kept ? shares.includes(kept) : null;
}
