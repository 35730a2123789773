// The service worker: the page's own files from a cache of its version, all else untouched. In particular nothing that goes to or
// comes from a service is ever kept, nor anything that files.js does not name.
importScripts("./files.js");

const { version, first, later } = self.FILES;
// Of this folder alone: another copy on the same host has its own.
const PREFIX = `filepress ${self.registration.scope} `;
const CACHE = PREFIX + version;
const integrities = new Map([...first, ...later].map(([path, integrity]) => [addressOf(path), integrity]));
/** The background fetch that is under way. */
let keeping;

// A file of another version than this worker's, met while a new one is being put on the host, is an error by its hash.
const request = (address) => new Request(address, { integrity: integrities.get(address), cache: "no-cache" });

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data === "keep") event.waitUntil(keepLater(event.source));
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
  // With a full disk the page works, and only not without a network.
  await cache.put(address, response.clone()).catch(() => {});
  return response;
}

/** What a page needs to open. Where an older version can work without a network, this one can before it takes over. */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll((await missing(first)).map(request));
  const older = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const kept = await Promise.all(older.map(async (name) => (await caches.open(name)).keys()));
  if (kept.flat().some(({ url }) => url.endsWith(".wasm"))) await keep(later);
}

/** The package and its codecs, in the background: tells the page when all is there, or that it is not. */
async function keepLater(client) {
  keeping ??= keep(later).finally(() => (keeping = undefined));
  const broken = await keeping.then(
    () => false,
    () => true,
  );
  await tell(client, broken);
}

/** Fetches what is not there yet, one after the other: what has come stays, though the rest be cut off. */
async function keep(files) {
  const cache = await caches.open(CACHE);
  for (const address of await missing(files)) await cache.add(request(address));
}

/** The addresses of those files that are not kept yet. */
async function missing(files) {
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  return files.map(([path]) => addressOf(path)).filter((address) => !there.has(address));
}

/** Of older versions nothing stays; pages that were open before the first install are served from now on. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function tell(client, broken = false) {
  client.postMessage({ kept: (await missing(later)).length === 0 ? "all" : "page", broken });
}
