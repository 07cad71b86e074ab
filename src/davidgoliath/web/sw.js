// Keeps the page itself, so that an installed game opens without a network, and says kindly that there is none.

const CACHE = "page-{build}";
const FILES = ["/offline", ...["{files}"]];

addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("activate", (/** @type {any} */ event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(
        names.filter((name) => name.startsWith("page-") && name !== CACHE).map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(old);
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate")
    event.respondWith(fetch(request).catch(async () => (await caches.match("/offline")) ?? Response.error()));
  else if (path.startsWith("/web/{build}/")) event.respondWith(kept(request));
});

/**
 * What is named after its build never changes: it is fetched once. A server of another build says that it isn't that.
 * @param {Request} request
 */
async function kept(request) {
  const found = await caches.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && answer.headers.get("cache-control")?.includes("immutable"))
    await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}
