// Addresses: those of our pages as the page knows them, `/learn`, and how the browser has them. Here they are the same;
// a static site has one file, and so its pages stand behind `#` (`site/address.js`).

/** The path of the page that shows. */
export const path = () => location.pathname;

/** What is behind its question mark. */
export const query = () => new URLSearchParams(location.search);

/** How the browser has an address of ours. @param {string} address */
export const href = (address) => address;

/** The address of ours that a link leads to, if it is one. @param {HTMLAnchorElement} link */
export function addressOf({ origin, pathname, search }) {
  const isPage = origin === location.origin && !/^\/(api|web|site)\//.test(pathname);
  return isPage ? pathname + search : null;
}

/** A link to a page of ours, for others. @param {string} address */
export const linkTo = (address) => new URL(href(address), location.href).href;

/** How something is called that the browser keeps: on a site, for that one alone. @param {string} name */
export const own = (name) => name;

/** The address of a file of the page. @param {string} name */
export const asset = (name) => new URL(`../../${name}`, import.meta.url).href;
