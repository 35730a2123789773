// examples/worker/ in workerd: images of one upstream in the format that the browser prefers, cached.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { startExample } from "./support/example-worker.mjs";
import { listen } from "./support/listen.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const consumer = createConsumer();
const { compress } = await consumer.import();
const small = Buffer.from(await sample("baseline.jpg"));
const wide = await toSharp(photo(1200, 800)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
const large = await toSharp(photo(9000, 6000)).removeAlpha().jpeg({ quality: 20 }).toBuffer();

/** Path to [content type, body, further headers]. */
const files = {
  "/images/small.jpg": ["image/jpeg", small],
  "/images/wide.jpg": ["image/jpeg", wide, { "cache-control": "public, max-age=60", "set-cookie": "id=1" }],
  "/images/private.jpg": ["image/jpeg", small, { "cache-control": "private" }],
  "/images/large.jpg": ["image/jpeg", large],
  "/images/heavy.png": ["image/png", Buffer.alloc(9_000_000, "x")],
  "/images/broken.jpg": ["image/jpeg", small.subarray(0, 900)],
  "/images/moving.gif": ["image/gif", Buffer.from(await sample("animated.gif"))],
  "/images/drawing.svg": ["image/svg+xml", Buffer.from(await sample("drawn.svg"))],
  "/images/page.html": ["text/html", Buffer.from("<p>")],
  "/secret.jpg": ["image/jpeg", small],
};
const asked = [];
const upstream = await listen((request, response) => {
  asked.push(request);
  const [type, body, headers] = files[request.url] ?? [];
  if (request.url === "/images/away.jpg") return response.writeHead(302, { location: "/secret.jpg" }).end();
  if (!body) return response.writeHead(404).end();
  // Without a length, so that the Worker has to count.
  response.writeHead(200, { "content-type": type, ...headers }).write(body);
  response.end();
});
const worker = await startExample(consumer, { IMAGES_URL: `${upstream.url}/images/` });
after(async () => {
  await worker.close();
  await upstream.close();
});

const CHROMIUM = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

async function get(path, accept = CHROMIUM, init = {}) {
  const response = await fetch(worker.url + path, { ...init, headers: { accept, ...init.headers } });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, type: response.headers.get("content-type"), body };
}

const compressed = async (input, options) => Buffer.from(await (await compress(input, options)).bytes());

test("each browser gets the type that it prefers, in the bytes that the package makes anywhere", async () => {
  const cases = [
    [CHROMIUM, "image/avif", { to: "avif", effort: 0 }],
    ["image/webp,*/*", "image/webp", { to: "webp" }],
    ["image/avif;q=0, IMAGE/WEBP;q=0.5", "image/webp", { to: "webp" }],
    ["image/avif;q=0.4,image/webp;q=0.5", "image/webp", { to: "webp" }],
    ["image/png,image/*;q=0.8,*/*;q=0.5", "image/jpeg", {}],
    ["*/*", "image/jpeg", {}],
  ];
  for (const [accept, type, options] of cases) {
    const { status, headers, ...answer } = await get("/images/small.jpg", accept);
    assert.deepEqual([status, answer.type, headers.get("vary")], [200, type, "accept"], accept);
    assert.deepEqual(answer.body, await compressed(small, { resize: { maxWidth: 1920 }, ...options }), accept);
  }
});

test("an image is made narrower, and WebP where AVIF would take too long", async () => {
  const narrow = await get("/images/wide.jpg?width=320");
  assert.deepEqual([narrow.type, narrow.body], ["image/avif", await compressed(wide, { to: "avif", effort: 0, resize: { maxWidth: 320 } })]);
  const full = await get("/images/wide.jpg");
  assert.deepEqual([full.type, full.body], ["image/webp", await compressed(wide, { to: "webp", resize: { maxWidth: 1920 } })]);
  assert.equal(full.headers.get("cache-control"), "public, max-age=60");
  assert.equal(full.headers.get("set-cookie"), null);
});

test("the cache answers whoever prefers the same, and the browser's own copy is told to be good", async () => {
  const first = await get("/images/small.jpg?width=640", "image/webp");
  const count = asked.length;
  for (const accept of ["image/webp,*/*;q=0.1", "text/html, image/webp;q=0.3"]) {
    assert.deepEqual((await get("/images/small.jpg?width=640", accept)).body, first.body);
  }
  const etag = first.headers.get("etag");
  assert.match(etag, /^"[0-9a-f]{24}"$/);
  const again = await get("/images/small.jpg?width=640", "image/webp", { headers: { "if-none-match": `"other", W/${etag}` } });
  assert.deepEqual([again.status, again.body.length, again.headers.get("etag"), again.headers.get("vary")], [304, 0, etag, "accept"]);
  const head = await get("/images/small.jpg?width=640", "image/webp", { method: "HEAD" });
  assert.deepEqual([head.status, head.type, head.body.length], [200, "image/webp", 0]);
  assert.equal(asked.length, count);
  assert.notEqual((await get("/images/small.jpg?width=640", "*/*")).headers.get("etag"), etag);
  assert.equal(asked.length, count + 1);
});

test("what the upstream calls private is not kept", async () => {
  for (const count of [asked.length + 1, asked.length + 2]) {
    const { status, headers } = await get("/images/private.jpg", "image/webp");
    assert.deepEqual([status, headers.get("cache-control"), asked.length], [200, "private, no-store", count]);
  }
});

test("what cannot be done, or would take too much memory, goes out as it came", async () => {
  for (const name of ["large.jpg", "heavy.png", "broken.jpg", "moving.gif", "drawing.svg"]) {
    const { status, type, body, headers } = await get(`/images/${name}`);
    const [declared, bytes] = files[`/images/${name}`];
    assert.deepEqual([status, type], [200, declared], name);
    assert.ok(body.equals(bytes), name);
    assert.match(headers.get("content-security-policy"), /default-src 'none'.*sandbox/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
  }
});

test("nothing but images of the one address is fetched, and without what the visitor sent", async () => {
  const count = asked.length;
  for (const path of ["/images/..%2fsecret.jpg", "/images/../secret.jpg", "/images//secret.jpg", "/images///example.com/a.jpg", "/images/http://127.0.0.1/a.jpg"]) {
    assert.equal((await get(path)).status, 404, path);
  }
  const before = asked.length;
  for (const path of ["/images/a%5c..%5csecret.jpg", "/images/a%00.jpg", "/images/%252e%252e%252fsecret.jpg"]) {
    assert.equal((await get(path)).status, 404, path);
  }
  assert.equal(asked.length, before, "what a server could read otherwise is not asked for");
  assert.ok(asked.slice(count).every(({ url }) => url.startsWith("/images/")), asked.slice(count).map(({ url }) => url).join(" "));
  assert.deepEqual([(await get("/images/away.jpg")).status, (await get("/images/page.html")).status, (await get("/images/gone.jpg")).status], [502, 502, 404]);
  assert.equal((await get("/images/small.jpg?width=7")).status, 404);
  assert.equal((await get("/images/small.jpg", CHROMIUM, { method: "POST" })).status, 405);
  await get("/images/private.jpg", CHROMIUM, { headers: { cookie: "id=1", authorization: "Bearer key" } });
  const { cookie, authorization } = asked.at(-1).headers;
  assert.deepEqual([cookie, authorization], [undefined, undefined]);
});

test("an upstream that is away is an error that is not kept", async (context) => {
  const alone = await startExample(consumer, { IMAGES_URL: "http://127.0.0.1:9/images/" });
  context.after(alone.close);
  const { status, headers } = await fetch(`${alone.url}/images/small.jpg`);
  assert.deepEqual([status, headers.get("cache-control")], [502, "no-store"]);
});

test("an upstream that breaks off or stalls is away; one that sends much may take its time", async (context) => {
  const much = Buffer.alloc(9_000_000, "x");
  const odd = await listen((request, response) => {
    response.writeHead(200, { "content-type": "image/jpeg", "cache-control": "private" });
    if (request.url === "/slow.jpg") {
      response.write(much);
      setTimeout(() => response.end("the end"), 9000);
    } else response.write(small.subarray(0, 900), () => request.url === "/breaks.jpg" && response.destroy());
  });
  const patient = await startExample(consumer, { IMAGES_URL: `${odd.url}/`, IMAGES_TIMEOUT: 8000 });
  context.after(() => patient.close().then(odd.close));
  const ask = (path, init) => fetch(`${patient.url}/images/${path}`, init);
  const [breaks, stalls, slow] = await Promise.all([
    ask("breaks.jpg"),
    ask("stalls.jpg"),
    ask("slow.jpg").then(async (response) => Buffer.from(await response.arrayBuffer())),
  ]);
  for (const { status, headers } of [breaks, stalls]) assert.deepEqual([status, headers.get("cache-control")], [502, "no-store"]);
  assert.ok(slow.equals(Buffer.concat([much, Buffer.from("the end")])), `${slow.length} bytes`);
});
