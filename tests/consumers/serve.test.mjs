// filepress/serve in Node 20 and 24, Bun, Deno and workerd, by the examples of docs/plugins.md; and its limits, in Node.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { listen } from "../package/support/listen.mjs";
import { createRandom } from "../package/support/scale.mjs";
import { bundle, startWorker } from "../package/support/workerd.mjs";
import { writeExamples } from "./support/examples.mjs";
import { checkImageServer } from "./support/image-server.mjs";
import { jpeg } from "./support/photos.mjs";
import { openProject } from "./support/project.mjs";
import { runtimesOf } from "./support/runtimes.mjs";

const project = openProject("runtimes");
writeExamples(project, "runtimes");
const photo = await jpeg(1000, 500);
project.write("photos/wide.jpg", photo);
project.write("photos/words.jpg", "just some words");
const { compress } = await project.import();
const { createImageServer } = await project.import("filepress/serve");
const { toNodeListener } = await project.import("filepress/serve/node");
const { signImage } = await project.import("filepress/sign");

/** Starts a program of the project; resolves to its address. */
async function start([command, ...args], script, env = {}) {
  const child = spawn(command, [...args, script], { cwd: project.folder, env: { ...process.env, NO_COLOR: "1", PORT: "0", ...env } });
  after(() => child.kill("SIGKILL"));
  let said = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        said += text;
        const [found] = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(said) ?? [];
        if (found) resolve(found);
      });
    }
    child.once("error", reject).once("close", () => reject(new Error(said)));
  });
}

const KEY = "a key of the tests";
const { "Node 24": node24, Bun: bun, Deno: deno } = runtimesOf(project);
const SERVERS = {
  "Node 20": [[process.execPath], "src/serve-node.mjs"],
  "Node 24": [node24, "src/serve-node.mjs"],
  Bun: [bun, "src/serve-fetch.mjs"],
  Deno: [deno, "src/serve-fetch.mjs"],
};

for (const [name, [command, script]] of Object.entries(SERVERS)) {
  test(`${name} answers with Node's bytes, and refuses what is not allowed`, async () => {
    const url = await start(command, script, { IMAGE_KEY: KEY });
    await checkImageServer((path, init) => fetch(url + path, init), photo, compress);
  });
}

test("workerd answers with Node's bytes, and refuses what is not allowed", async (context) => {
  const origin = await listen(async ({ url }, response) => {
    const bytes = await readFile(join(project.folder, "photos", url)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  context.after(origin.close);
  const { modules } = await bundle(join(project.folder, "src/serve-worker.js"));
  const worker = await startWorker(modules, { bindings: { ORIGIN: origin.url } });
  context.after(worker.close);
  await checkImageServer((path, init) => fetch(new URL(path, worker.url), init), photo, compress);
});

describe("in Node", () => {
  const source = async () => photo;
  const get = (images, path, init) => images(new Request(`http://images${path}`, init));
  let counted;
  /** `compress` that counts its calls. */
  const counting = () => (...args) => (counted.calls++, compress(...args));

  test("a signed address has all options; another is refused", async () => {
    const images = createImageServer({ compress, source, key: KEY });
    const signed = await signImage("/_img/640x360/webp/a%20photo.jpg?quality=55&effort=2&position=top%20left", KEY);
    const response = await get(images, signed);
    const expected = await compress(photo, { to: "webp", quality: 55, effort: 2, resize: { width: 640, height: 360, fit: "cover", position: "top left" } });
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), await expected.bytes());
    const forged = [signed.replace("640", "641"), signed.replace("55", "56"), signed.replace(/s=./, "s=_"), signed.replace(/&s=.*/, ""), `${signed}&lossless`, await signImage("/_img/640x360/webp/a.jpg", "another key")];
    for (const path of forged) assert.equal((await get(images, path)).status, 403, path);
    for (const path of ["/_img/5000/webp/a.jpg", "/_img/full/webp/a.jpg?width=5000", "/_img/400/webp/a.jpg?width=400&height=5000", "/_img/full/webp/a.jpg?maxHeight=5000"]) {
      const response = await get(images, await signImage(path, KEY));
      assert.deepEqual([response.status, (await response.json()).code], [400, "size_not_allowed"], path);
    }
    assert.equal((await get(images, await signImage("/_img/400/webp/a.jpg?quality=101", KEY))).status, 400);
    assert.equal((await get(images, await signImage("/_img/400/jpgg/a.jpg", KEY))).status, 400);
    assert.throws(() => createImageServer({ compress, source }), /key or allow\.sizes/);
  });

  test("one call answers many who wait, and later ones come from memory", async () => {
    counted = { calls: 0 };
    const images = createImageServer({ compress: counting(), source, allow: { sizes: [400] } });
    const responses = await Promise.all(Array.from({ length: 30 }, () => get(images, "/_img/400/webp/a.jpg")));
    assert.ok(responses.every(({ status }) => status === 200));
    assert.equal(counted.calls, 1);
    assert.equal((await get(images, "/_img/400/webp/a.jpg")).status, 200);
    assert.equal(counted.calls, 1);
    await get(images, "/_img/400/webp/b.jpg");
    assert.equal(counted.calls, 2);
  });

  test("a result that is no longer fresh is made again only if the source has changed", async () => {
    counted = { calls: 0 };
    let current = photo;
    const images = createImageServer({ compress: counting(), source: async () => current, allow: { sizes: [400] }, freshFor: 0 });
    const etag = async () => (await get(images, "/_img/400/webp/a.jpg")).headers.get("etag");
    const first = await etag();
    assert.deepEqual([await etag(), counted.calls], [first, 1]);
    current = await jpeg(500, 500, 7);
    assert.notEqual(await etag(), first);
    assert.equal(counted.calls, 2);
  });

  test("memory holds no more than cacheBytes", async () => {
    counted = { calls: 0 };
    const { outputSize } = await compress(photo, { to: "webp", resize: { maxWidth: 400 } });
    const images = createImageServer({ compress: counting(), source, allow: { sizes: [400] }, cacheBytes: 2.5 * outputSize });
    for (const name of ["a", "b", "a", "c", "a"]) await get(images, `/_img/400/webp/${name}`);
    // The third pushed out b, which was used least recently.
    assert.equal(counted.calls, 3);
    await get(images, "/_img/400/webp/b");
    assert.equal(counted.calls, 4);
  });

  test("work ends when all who waited have gone, and not before", async () => {
    let aborted = 0;
    let finish;
    const never = (input, { signal }) =>
      new Promise((resolve, reject) => {
        finish = () => compress(input, { to: "webp", resize: { maxWidth: 400 } }).then(resolve, reject);
        signal.addEventListener("abort", () => (aborted++, reject(signal.reason)));
      });
    const images = createImageServer({ compress: never, source, allow: { sizes: [400] } });
    const [one, two, three] = [0, 1, 2].map(() => new AbortController());
    const first = get(images, "/_img/400/webp/a.jpg", { signal: one.signal });
    const second = get(images, "/_img/400/webp/a.jpg", { signal: two.signal });
    while (!finish) await new Promise((resolve) => setImmediate(resolve));
    one.abort();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(aborted, 0);
    finish();
    assert.deepEqual([(await first).status, (await second).status], [200, 200]);
    finish = undefined;
    const alone = get(images, "/_img/400/webp/b.jpg", { signal: three.signal });
    while (!finish) await new Promise((resolve) => setImmediate(resolve));
    three.abort();
    await alone;
    assert.equal(aborted, 1);
  });

  test("a request that was aborted before starts no work", async () => {
    const asked = [];
    const images = createImageServer({ compress, source: (path) => void asked.push(path), allow: { sizes: [400] } });
    await get(images, "/_img/400/webp/a.jpg", { signal: AbortSignal.abort() });
    assert.deepEqual(asked, []);
  });

  test("the source gets the path decoded, and encoded for a URL", async () => {
    const seen = [];
    const images = createImageServer({ compress, source: (path, { encodedPath }) => void seen.push(path, encodedPath), allow: { sizes: [400] } });
    assert.equal((await get(images, "/_img/400/webp/2026/a%20%3Fb%23.jpg")).status, 404);
    assert.deepEqual(seen, ["2026/a ?b#.jpg", "2026/a%20%3Fb%23.jpg"]);
  });

  test("a closed connection aborts, and Express's next takes other addresses", async (context) => {
    let asked;
    let ended;
    const gone = new Promise((resolve) => (ended = resolve));
    const started = new Promise((resolve) => (asked = resolve));
    const slow = (path, { signal }) => (asked(), new Promise(() => signal.addEventListener("abort", ended)));
    const listener = toNodeListener(createImageServer({ compress, source: slow, allow: { sizes: [400] } }));
    const server = await listen((request, response) => listener(request, response, () => response.writeHead(418).end()));
    context.after(server.close);
    const controller = new AbortController();
    const asking = fetch(`${server.url}/_img/400/webp/a.jpg`, { signal: controller.signal });
    await started;
    controller.abort();
    await assert.rejects(asking);
    await gone;
    assert.equal((await fetch(`${server.url}/other`)).status, 418);
  });

  test("limits answer with their statuses", async () => {
    const allow = { sizes: [400] };
    const status = async (options) => (await get(createImageServer({ compress, source, allow, ...options }), "/_img/400/webp/a.jpg")).status;
    assert.equal(await status({ limits: { maxInputBytes: 1000 } }), 413);
    assert.equal(await status({ limits: { maxPixels: 1000 } }), 413);
    assert.equal(await status({ source: () => new Response(photo.subarray(0, 900)) }), 422);
    assert.equal(await status({ source: () => new Response("", { status: 500 }) }), 502);
    assert.equal(await status({ source: () => new Promise(() => {}), timeout: 50 }), 504);
    assert.equal(await status({ source: () => { throw new Error("a secret of the disk"); } }), 502);
    const busy = createImageServer({ compress, source: (path) => (path === "a" ? new Promise(() => {}) : photo), allow, maxPending: 1 });
    const first = get(busy, "/_img/400/webp/a");
    const second = await get(busy, "/_img/400/webp/b");
    assert.deepEqual([second.status, second.headers.get("retry-after")], [503, "1"]);
    first.catch(() => {});
  });

  test("2,000 requests of good and hostile sources and addresses are all answered", async () => {
    const random = createRandom(23);
    const pick = (list) => list[Math.floor(random() * list.length)];
    const small = await jpeg(300, 200, 3);
    const sources = { "good.jpg": small, "other.jpg": await jpeg(200, 300, 4), "words.jpg": Buffer.from("just some words"), "empty.jpg": Buffer.alloc(0), "cut.jpg": small.subarray(0, 2000) };
    for (let number = 0; number < 20; number++) {
      const damaged = Buffer.from(small);
      for (let change = 0; change < 30; change++) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      sources[`damaged-${number}.jpg`] = damaged;
    }
    const images = createImageServer({ compress, source: (path) => sources[path], allow: { sizes: [50, 100], qualities: [50] }, key: KEY, cacheBytes: 100_000, maxPending: 1000 });
    const names = [...Object.keys(sources), "gone.jpg", "%00", "%ff", "..%2f", "a/../b", "%"];
    const address = () => `/_img/${pick([50, 100, "50", "1", "x", "-1", "99999x99999", ""])}/${pick(["webp", "jpeg", "auto", "svg", "__proto__"])}/${pick(names)}${pick(["", "?quality=50", "?quality=NaN", "?__proto__=1", "?s=AAAA", `?s=${"A".repeat(43)}`])}`;
    const statuses = new Map();
    for (let round = 0; round < 40; round++) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => get(images, address(), { headers: { accept: pick(["image/webp", "*/*", "", "image/webp;q=0"]) } })));
      for (const { status } of responses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const total = [...statuses.values()].reduce((sum, count) => sum + count);
    assert.equal(total, 2000);
    assert.ok(!statuses.has(500) && !statuses.has(502), JSON.stringify([...statuses]));
    for (const status of [200, 400, 403, 404, 415]) assert.ok(statuses.get(status) > 0, `${status}: ${JSON.stringify([...statuses])}`);
  });
});
