// Addresses of a site: it has one file, whatever its own address, and its pages stand behind `#`. In a site's build
// this module stands in the place of that in `base`.

/** The path of the page that shows. */
export const path = () => shown()[0];

/** What is behind its question mark. */
export const query = () => new URLSearchParams(shown()[1]);

/** How the browser has an address of ours. @param {string} address */
export const href = (address) => `#${address}`;

/** The address of ours that a link leads to, if it is one. @param {HTMLAnchorElement} link */
export function addressOf({ origin, pathname, hash }) {
  const isPage = origin === location.origin && pathname === location.pathname && hash.startsWith("#/");
  return isPage ? hash.slice(1) : null;
}

/** A link to a page of ours, for others. @param {string} address */
export const linkTo = (address) => new URL(href(address), location.href).href;

/** How something is called that the browser keeps, for this site alone. @param {string} name */
export const own = (name) => `${name} ${new URL(".", location.href).pathname}`;

/** The address of a file of the page. @param {string} name */
export const asset = (name) => new URL(`../../${name}`, import.meta.url).href;

const shown = () => (location.hash.startsWith("#/") ? location.hash.slice(1).split("?") : ["/", ""]);
