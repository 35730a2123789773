// The service worker: serves the files listed in files.js from a cache of their version, and receives files that are shared with the
// app. Nothing else is intercepted or cached, in particular no request to a server.
importScripts("./files.js");

const { version, first, later } = self.FILES;
// Per folder, because the same host may have several copies of the page.
const PREFIX = `filepress ${self.registration.scope} `;
const CACHE = PREFIX + version;
const integrities = new Map([...first, ...later].map(([path, integrity]) => [addressOf(path), integrity]));
/** The cache of files that were shared with the app, until the page takes them. incoming.js has the same name. */
const SHARED = "filepress shared";
/** Files that are downloaded at the same time. */
const AT_ONCE = 5;
/** The running background download. */
let downloading;

// The integrity check rejects files of another version while a new one is being deployed.
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
  // The manifest's share target.
  if (event.request.method === "POST" && address === addressOf("./") && event.request.mode === "navigate") event.respondWith(receive(event.request));
});

/** Leaves the files of a form for the page, and opens it. The page says so if there is none. */
async function receive(request) {
  const form = await request.formData().catch(() => new FormData());
  const files = form.getAll("file");
  const cache = await caches.open(SHARED);
  for (const [index, file] of files.filter((part) => part instanceof File).entries()) {
    await cache.put(addressOf(`./shared/${index}/${encodeURIComponent(file.name)}`), new Response(file));
  }
  return Response.redirect(addressOf("./") + "?shared", 303);
}

/** The canonical URL of a file. That of index.html is the folder's. */
function addressOf(path) {
  return new URL(path, self.registration.scope).href.replace(/\/index\.html$/, "/");
}

async function answer(address) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(address);
  if (kept) return kept;
  const response = await fetch(request(address));
  // If the disk is full, the page still works online.
  await cache.put(address, response.clone()).catch(() => {});
  return response;
}

/** Caches what the page needs to open. If an older version works offline, this one must too before it takes over. */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll((await missing(first)).map(request));
  const older = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const kept = await Promise.all(older.map(async (name) => (await caches.open(name)).keys()));
  if (kept.flat().some(({ url }) => url.endsWith(".wasm"))) await keep(later);
}

/** Caches the package in the background, then reports the status to the page. */
async function keepLater(client) {
  downloading ??= keep(later).finally(() => (downloading = undefined));
  const broken = await downloading.then(
    () => false,
    () => true,
  );
  await tell(client, broken);
}

/** Caches missing files, several at once. Finished files are kept if the rest fails. */
async function keep(files) {
  const cache = await caches.open(CACHE);
  const waiting = await missing(files);
  const fetchNext = async () => {
    for (let address = waiting.shift(); address; address = waiting.shift()) await cache.add(request(address));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
}

/** The URLs of files that are not cached yet. */
async function missing(files) {
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  return files.map(([path]) => addressOf(path)).filter((address) => !there.has(address));
}

/** Deletes caches of older versions, and takes control of pages that are already open. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function tell(client, broken = false) {
  client.postMessage({ kept: (await missing(later)).length === 0 ? "all" : "page", broken });
}
