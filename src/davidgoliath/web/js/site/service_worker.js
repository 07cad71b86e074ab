// Keeps a site in the browser, so that it starts without a network. What is newer is fetched while the old one still
// serves, and used at the next start.

const MINE = `davidgoliath ${new URL("./", location.href).pathname} `;
const BUILD = `${MINE}{build}`;
/** All but the first stay what they are under their names. */
const ALL = ["./", ...["{files}"]];

addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fetchAll()));

async function fetchAll() {
  const cache = await caches.open(BUILD);
  for (const file of ALL) {
    const isNamed = file !== "./";
    const known = isNamed && (await caches.match(file));
    const found = known || (await fetch(file, { cache: isNamed ? "default" : "no-cache" }));
    if (!found.ok) throw new Error(file);
    await cache.put(file, found);
  }
}

addEventListener("activate", (/** @type {any} */ event) => {
  const old = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith(MINE) && name !== BUILD))
    .then((names) => Promise.all(names.map((name) => caches.delete(name))));
  event.waitUntil(old);
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === "GET") event.respondWith(kept(request));
});

/** @param {Request} request */
async function kept(request) {
  const cache = await caches.open(BUILD);
  const isPage = request.mode === "navigate" && /\/(index\.html)?$/.test(new URL(request.url).pathname);
  return (await cache.match(isPage ? "./" : request)) ?? fetch(request);
}
