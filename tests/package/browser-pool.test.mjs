// The number of concurrent jobs in a page: one per core, fewer if pictures or idle workers would take too much of the
// device's memory. Tests simulate devices by overriding what the browser reports.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createBrowserProject } from "./support/browser-project.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { paint, photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";
import { countWorkers } from "./support/workers.mjs";

const jpeg = (width, height) => toSharp(photo(400, 300)).removeAlpha().resize(width, height, { fit: "fill" }).jpeg({ quality: 85 }).toBuffer();
const made = new Map([
  ["/small.jpg", await sample("baseline.jpg")],
  ["/small.png", await sample("rgba.png")],
  ["/large.jpg", await jpeg(3000, 2000)],
  ["/larger.jpg", await jpeg(4700, 3200)],
]);
const browser = await launchChromium();
const consumer = createConsumer();
const project = createBrowserProject(consumer, browser, made);
after(() => browser.close());

/** What a page is told of its device. */
function pretend({ cores, memory, touch }) {
  const tell = (name, value) => Object.defineProperty(Navigator.prototype, name, { get: () => value, configurable: true });
  tell("hardwareConcurrency", cores);
  tell("deviceMemory", memory);
  tell("maxTouchPoints", touch ? 5 : 0);
}

/** A page on a device of `cores` and `memory` GiB, undefined where the browser does not tell. */
async function onDevice(context, cores, memory, touch = false) {
  const device = await project.open(undefined, undefined, async (page) => {
    await page.addInitScript(pretend, { cores, memory, touch });
    await page.addInitScript(countWorkers);
  });
  context.after(device.close);
  // Calls of bytes that are there come to the pool together: none is over before the last has begun.
  const batch = (paths, options) =>
    device.page.evaluate(
      async ([paths, options]) => {
        const inputs = await Promise.all(paths.map(async (path) => new Uint8Array(await (await file(path)).arrayBuffer())));
        return asPage(() => Promise.all(inputs.map((input) => attempt(input, options))));
      },
      [paths, options],
    );
  return { ...device, batch, count: () => device.page.evaluate(() => count) };
}

/** Has workers keep their memory far longer than the few seconds after which they give it back. */
function keepMemory(context) {
  const name = "worker-photo.js";
  const slow = "{ const { setTimeout } = globalThis; globalThis.setTimeout = (work, time) => setTimeout(work, 1000 * time); }\n";
  made.set(`/node_modules/filepress/${name}`, Buffer.from(slow + readFileSync(join(consumer.installed, name), "utf8")));
  context.after(() => made.delete(`/node_modules/filepress/${name}`));
}

const times = (count, path) => Array.from({ length: count }, () => path);

test("small pictures: every core has a worker, up to eight", async (context) => {
  for (const [cores, workers] of [[3, 3], [24, 8]]) {
    const { batch, count } = await onDevice(context, cores, 8);
    // So many that none of the workers is done with the last before all have started, however long that takes.
    const results = await batch(times(120, "/small.jpg"));
    assert.ok(results.every(({ decoded }) => decoded.join() === "160,104"));
    const { most, mostWorkers } = await count();
    assert.deepEqual([most, mostWorkers], [workers, workers]);
  }
});

test("large pictures: as many as there is memory for, and the batch is done all the same", async (context) => {
  // Of 6 megapixels each, for which 90 MB are reckoned, of a quarter of the device's memory.
  for (const [memory, touch, expected] of [[0.25, false, 1], [1, false, 3], [undefined, true, 6], [undefined, false, 8]]) {
    const { batch, count } = await onDevice(context, 8, memory, touch);
    const results = await batch(times(8, "/large.jpg"), { effort: 0 });
    assert.ok(results.every(({ decoded }) => decoded.join() === "3000,2000"));
    assert.equal((await count()).most, expected, `${memory} GiB${touch ? ", touch" : ""}`);
  }
});

test("the size of a picture is known before it is decoded, of every type that pages have", async (context) => {
  const flat = toSharp(paint(1600, 1200, () => [90, 140, 60])).removeAlpha();
  const files = {
    png: await flat.png().toBuffer(),
    gif: await flat.gif().toBuffer(),
    "VP8.webp": await flat.webp().toBuffer(),
    "VP8L.webp": await flat.webp({ lossless: true }).toBuffer(),
    "VP8X.webp": await flat.withIccProfile("p3").webp().toBuffer(),
    avif: await flat.avif({ effort: 0 }).toBuffer(),
    jpg: await flat.jpeg().toBuffer(),
  };
  for (const [name, bytes] of Object.entries(files)) {
    assert.ok(bytes.length < 100_000, `${name} has ${bytes.length} bytes, which say nothing of its pixels`);
    made.set(`/flat.${name}`, bytes);
    const { batch, count } = await onDevice(context, 4, 0.125);
    const results = await batch(times(3, `/flat.${name}`), { to: "bmp" });
    assert.deepEqual(results.map(({ decoded, message }) => decoded?.join() ?? message), times(3, "1600,1200"), name);
    assert.equal((await count()).most, 1, name);
  }
});

test("a quality that keeps all chroma takes more", async (context) => {
  for (const [quality, expected] of [[85, 3], [95, 2]]) {
    const { batch, count } = await onDevice(context, 6, 1);
    await batch(times(6, "/large.jpg"), { quality });
    assert.equal((await count()).most, expected, `quality ${quality}`);
  }
});

test("a small version of a large JPEG takes less", async (context) => {
  const { batch, count } = await onDevice(context, 6, 1);
  const results = await batch(times(6, "/large.jpg"), { resize: { maxWidth: 300 } });
  assert.ok(results.every(({ decoded }) => decoded.join() === "300,200"));
  assert.equal((await count()).most, 6);
});

// A picture that is cropped for WebP is whole in memory.

test("what workers hold counts: idle ones are ended where there is no room for what is next", async (context) => {
  keepMemory(context);
  const { batch, count } = await onDevice(context, 6, 2);
  await batch(times(3, "/large.jpg"), { to: "image/webp", crop: { x: 5, y: 5, width: 2990, height: 1990 } });
  const before = await count();
  assert.deepEqual([before.workers, before.ended], [3, 0]);
  assert.ok(before.held > 3 * 30e6, `${before.held} bytes`);
  const results = await batch(times(2, "/larger.jpg"), { to: "image/webp", crop: { x: 5, y: 5, width: 4690, height: 3193 } });
  assert.ok(results.every(({ decoded }) => decoded.join() === "4690,3193"));
  const { workers, ended, started, mostHeld } = await count();
  assert.deepEqual([workers, ended, started.length], [2, 1, 3]);
  assert.ok(mostHeld <= 2 ** 29, `${mostHeld} bytes`);
});

test("large memory is given back when no job follows", async (context) => {
  const { batch, page, count } = await onDevice(context, 2, 8);
  await batch(["/larger.jpg"], { to: "image/webp", crop: { x: 5, y: 5, width: 4690, height: 3193 } });
  const { mostHeld, ended } = await count();
  assert.ok(mostHeld > 64 * 2 ** 20, `${mostHeld} bytes`);
  await page.waitForFunction(() => count.held === 0);
  assert.equal((await count()).ended, ended, "the worker itself stays");
  assert.equal((await batch(["/small.jpg"]))[0].decoded.join(), "160,104");
});

test("once the core build is there, photos are its work too, and no other worker is started", async (context) => {
  const { batch, count } = await onDevice(context, 2, 8);
  await batch(["/small.jpg"]);
  await batch(["/small.png"]);
  await batch(times(6, "/small.jpg").concat(times(6, "/small.png")));
  const { started, mostWorkers } = await count();
  assert.deepEqual([...new Set(started)], ["photo", "core"]);
  assert.equal(started.filter((build) => build === "photo").length, 1, started.join());
  assert.equal(mostWorkers, 2);
});
