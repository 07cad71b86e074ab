// The personal link: at one address, that of the first page, with a token behind #, which no browser sends. Whoever
// follows one is asked before anything changes (`sign_in.js`), since anyone can send one.

import { isSite } from "./transport.js";

const HOME = "/";
const ASKING = "/me";
const LINK = /^#me=(.*)$/;
const TOKEN = /^[\w-]{20,100}$/;

/** @type {string | null} the token of the link that was followed; empty if it can't be one */
let brought = null;

/** Takes what a link brings; whether it is one to ask about. @param {string} hash */
export function takeLink(hash) {
  const found = LINK.exec(hash);
  if (!found || isSite) return false;
  if (location.pathname !== HOME) return false;
  brought = TOKEN.test(found[1]) ? found[1] : "";
  history.replaceState({}, "", ASKING);
  return true;
}

/** The token that a link has brought, if one has. */
export const broughtToken = () => brought;

/** The question is answered. */
export function letGo() {
  brought = null;
}
