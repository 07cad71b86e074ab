// The personal link: at one address, that of the first page, with a token behind #, which no browser sends. Whoever
// follows one is asked before anything changes (`sign_in.js`), since anyone can send one.

const HOME = "/";
const ASKING = "/me";
const LINK = /^#me=(.*)$/;
const TOKEN = /^[\w-]{20,100}$/;

/** @type {string | null} the token of the link that was followed; empty if it can't be one */
let brought = null;

/** Takes a link out of the address at once, wherever it stands; whether it is one to ask about. */
export function takeLink() {
  const found = LINK.exec(location.hash);
  if (!found) return false;
  const counts = location.pathname === HOME;
  if (counts) brought = TOKEN.test(found[1]) ? found[1] : "";
  history.replaceState({}, "", counts ? ASKING : location.pathname + location.search);
  return counts;
}

/** The token that a link has brought, if one has. */
export const broughtToken = () => brought;

/** The question is answered. */
export function letGo() {
  brought = null;
}
