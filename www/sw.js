// The service worker: the page's own files from a cache of its version, all else untouched. In particular nothing that goes to or
// comes from a service is ever kept, nor anything that files.js does not name.
importScripts("./files.js");

const { version, first, later } = self.FILES;
// Of this folder alone: another copy on the same host has its own.
const PREFIX = `filepress ${self.registration.scope} `;
const CACHE = PREFIX + version;
const integrities = new Map([...first, ...later].map(([path, integrity]) => [addressOf(path), integrity]));
const addresses = (files) => files.map(([path]) => addressOf(path));

// A file of another version than this worker's, met while a new one is being put on the host, is an error by its hash.
const request = (address) => new Request(address, { integrity: integrities.get(address), cache: "no-cache" });

self.addEventListener("install", (event) => {
  event.waitUntil(keep(addresses(first)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data === "keep")
    event.waitUntil(
      keep(addresses(later)).then(
        () => tell(event.source),
        () => {},
      ),
    );
  if (event.data === "tell") event.waitUntil(tell(event.source));
});

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const address = addressOf(origin + pathname);
  if (event.request.method === "GET" && integrities.has(address)) event.respondWith(answer(address));
});

/** The one address of a file of the site: of index.html, the folder's own. */
function addressOf(path) {
  return new URL(path, self.registration.scope).href.replace(/\/index\.html$/, "/");
}

async function answer(address) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(address);
  if (kept) return kept;
  const response = await fetch(request(address));
  await cache.put(address, response.clone());
  return response;
}

/** Fetches what is not there yet. */
async function keep(wanted) {
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  await cache.addAll(wanted.filter((address) => !there.has(address)).map(request));
}

/** Of older versions nothing stays; pages that were open before the first install are served from now on. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function tell(client) {
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  client.postMessage({ kept: addresses(later).every((address) => there.has(address)) ? "all" : "page" });
}
