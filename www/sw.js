// The service worker: serves the files listed in files.js from a cache of their version, and receives files that are shared with the
// app. A page that was opened with an older version, and its workers, get the files of that version until the page is reloaded. Nothing
// else is cached, and no request to a server is intercepted.
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
/** In a cache, what follows is the id of a page or worker that uses its version. No file is there. */
const USERS = addressOf("./users/");
/** Milliseconds after which what has begun to load is among the open pages and workers, unless it was closed. */
const BEGINNING = 60_000;
/** The running background download. */
let downloading;
/** Resolves to the older caches by the ids that use them. */
let older;

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
  if (event.data === "tell") event.waitUntil(sweep().then(() => tell(event.source)));
});

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const address = addressOf(origin + pathname);
  if (event.request.method === "GET" && address.startsWith(addressOf("./"))) event.respondWith(answer(event, address));
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

async function answer(event, address) {
  const { request: asked, clientId, resultingClientId } = event;
  const version = asked.mode === "navigate" ? CACHE : ((await olderCaches()).get(clientId) ?? CACHE);
  // A page, or a worker of one.
  if (resultingClientId) event.waitUntil(addUser(version, resultingClientId));
  if (version !== CACHE) return (await (await caches.open(version)).match(address)) ?? Response.error();
  return integrities.has(address) ? answerNow(address) : fetch(asked);
}

async function answerNow(address) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(address);
  if (kept) return kept;
  const response = await fetch(request(address));
  // If the disk is full, the page still works online.
  await cache.put(address, response.clone()).catch(() => {});
  return response;
}

/** Caches what the page needs to open. What works offline in an older version must do so in this one too before it takes over. */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll((await missing(first)).map(request));
  const kept = await Promise.all((await otherCaches()).map(async (name) => (await caches.open(name)).keys()));
  const there = new Set(kept.flat().map(({ url }) => url));
  const isThere = ([path]) => there.has(addressOf(path));
  // With all codecs it was complete, though this version may have files that it had not. If data are to be saved, it has only some.
  const isComplete = later.filter(([path]) => path.endsWith(".wasm")).every(isThere);
  await keep(isComplete ? later : later.filter(isThere));
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

/** Takes control of pages that are already open, and deletes the caches of versions that none of them uses. */
async function takeOver() {
  const [others, open] = await Promise.all([otherCaches(), openIds()]);
  // What was open before there was a service worker is of the first version.
  if (others.length === 0) await Promise.all([...open].map((id) => addUser(CACHE, id)));
  for (const name of others) if (!(await usersOf(name)).some((id) => open.has(id))) await caches.delete(name);
  await self.clients.claim();
}

/**
 * Deletes the caches of versions whose last page was closed or reloaded, and of this version the ids of what was closed. A cache without any
 * is of a version that waits.
 */
async function sweep() {
  const open = await openIds();
  const cache = await caches.open(CACHE);
  for (const id of await usersOf(CACHE)) {
    const begun = Number(await (await cache.match(USERS + id))?.text());
    if (!open.has(id) && Date.now() - begun > BEGINNING) await cache.delete(USERS + id);
  }
  for (const name of await otherCaches()) {
    const users = await usersOf(name);
    if (users.length > 0 && !users.some((id) => open.has(id))) await caches.delete(name);
  }
}

const otherCaches = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
const openIds = async () => new Set((await self.clients.matchAll({ includeUncontrolled: true, type: "all" })).map(({ id }) => id));

/** The ids of pages and workers that use the version of a cache, or did so. */
async function usersOf(name) {
  const addresses = (await (await caches.open(name)).keys()).map(({ url }) => url);
  return addresses.filter((url) => url.startsWith(USERS)).map((url) => url.slice(USERS.length));
}

function olderCaches() {
  older ??= readUsers().catch(() => new Map());
  return older;
}

async function readUsers() {
  const names = await otherCaches();
  const pairs = await Promise.all(names.map(async (name) => (await usersOf(name)).map((id) => [id, name])));
  return new Map(pairs.flat());
}

/** Remembers which version a page or worker uses. If the disk is full, it gets the newest. */
async function addUser(name, id) {
  if (name !== CACHE) (await olderCaches()).set(id, name);
  await (await caches.open(name)).put(USERS + id, new Response(Date.now())).catch(() => {});
}

async function tell(client, broken = false) {
  client.postMessage({ kept: (await missing(later)).length === 0 ? "all" : "page", broken });
}
