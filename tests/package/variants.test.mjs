// `variants` and `pictureSources`: the same bytes as separate calls, in any runtime, and what markup needs.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { after, test } from "node:test";
import { createBrowserProject } from "./support/browser-project.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const consumer = createConsumer();
const api = await consumer.import();
const { compress, pictureSources, variants } = api;
const large = await toSharp(photo(1200, 800)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
const entries = ["avif", "webp", "jpeg"].flatMap((to) => [80, 160, 320].map((width) => ({ to, effort: 1, resize: { width } })));

async function all(...args) {
  const outputs = [];
  for await (const output of variants(...args)) outputs.push(output);
  return outputs;
}
const byIndex = (outputs) => outputs.toSorted((one, other) => one.index - other.index);

test("each output has the bytes and the facts of a call of its own", async () => {
  for (const input of [large, new File([large], "big photo.jpg")]) {
    const outputs = byIndex(await all(input, entries));
    assert.deepEqual(outputs.map(({ index }) => index), entries.map((_, index) => index));
    for (const [index, entry] of entries.entries()) {
      const { blob, file, bytes, name, index: _, ...facts } = outputs[index];
      const { blob: own, file: ownFile, bytes: ownBytes, name: ownName, ...expected } = await compress(input, entry);
      assert.deepEqual(facts, expected);
      assert.deepEqual(await bytes(), await ownBytes());
      assert.equal(name, ownName.replace(/\.\w+$/, (extension) => `-${entry.resize.width}${extension}`));
      assert.equal(file.name, name);
    }
  }
});

test("options of the call are defaults of the entries", async () => {
  const [one, other] = byIndex(await all(large, [{ quality: 30 }, { to: "webp", crop: { width: 60, height: 60 } }], { crop: { width: 90, height: 80 }, name: "part", metadata: "strip" }));
  assert.deepEqual([one.name, one.width, one.height, other.name, other.width, other.height], ["part.jpg", 90, 80, "part.webp", 60, 60]);
  assert.deepEqual(await one.bytes(), await (await compress(large, { quality: 30, crop: { width: 90, height: 80 }, metadata: "strip" })).bytes());
});

test("outputs come one by one, with progress, and a loop that ends early ends the work", async () => {
  const ratios = [];
  let count = 0;
  for await (const output of variants(large, entries, { onProgress: ({ ratio }) => ratios.push(ratio) })) {
    count += 1;
    assert.equal(typeof output.outputSize, "number");
    if (count === 2) break;
  }
  assert.equal(count, 2);
  assert.ok(ratios.length > 0 && ratios.every((ratio, at) => ratio >= (ratios[at - 1] ?? 0) && ratio < 1));
  assert.equal((await all(large, entries.slice(3, 5))).length, 2, "the next call has workers");
});

test("there are no more copies of an input than workers at a time", async () => {
  const { slice } = Uint8Array.prototype;
  let copies = 0;
  Uint8Array.prototype.slice = function (...range) {
    copies += Number(this.length === large.length && range.length === 0);
    return slice.apply(this, range);
  };
  try {
    const types = ["webp", "avif", "avif"];
    assert.equal((await all(large, types.map((to, at) => ({ to, effort: 1, resize: { width: 100 + at } })))).length, types.length);
  } finally {
    Uint8Array.prototype.slice = slice;
  }
  assert.ok(copies >= 1 && copies <= Math.min(availableParallelism(), 3), `${copies} copies`);
});

test("what is not smaller than the fallback can be left out", async () => {
  const list = [{ to: "png", resize: { width: 300 } }, { to: "webp", resize: { width: 300 } }, { to: "bmp", resize: { width: 50 } }, { to: "jpeg", resize: { width: 300 } }];
  const kept = (await all(large, list, { onlyIfSmaller: true })).map(({ type }) => type).sort();
  // There is no JPEG of the size of the BMP.
  assert.deepEqual(kept, ["image/bmp", "image/jpeg", "image/webp"]);
  assert.equal((await all(large, list)).length, 4);
});

test("wrong entries and options are named", async () => {
  const refused = async (option, ...args) => {
    const { details, message } = await expectFailure(api, all(...args), "OptionsError", "invalid_option");
    assert.equal(details.option, option);
    assert.ok(message.startsWith(option.startsWith("entries") ? `${option} ` : "options."), message);
    return details;
  };
  await refused("entries", large, []);
  await refused("entries", large, { to: "webp" });
  await refused("entries[1]", large, [{}, "webp"]);
  await refused("entries[0].signal", large, [{ signal: AbortSignal.timeout(1) }]);
  await refused("engine", large, [{}], { engine: "remote" });
  await refused("onlyIfSmaller", large, [{}], { onlyIfSmaller: 1 });
  assert.equal((await refused("quality", large, [{ to: "webp" }, { quality: 0 }])).variant, 1);
  assert.equal((await refused("crop", large, [{ to: "webp" }, { crop: { x: 5000 } }])).variant, 1);
  await expectFailure(api, all("photo.jpg", [{}]), "InputError", "unreadable_input");
  for (const wrong of [[], null, undefined, "abc", [null], [{}], {}]) assert.throws(() => pictureSources(wrong), { code: "invalid_option", message: /^outputs must/ }, `${wrong}`);
});

test("an abort rejects with its reason", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  const outputs = variants(large, entries, { signal: controller.signal });
  await outputs.next();
  controller.abort(reason);
  await assert.rejects(async () => {
    for await (const _ of outputs);
  }, reason);
  await assert.rejects(all(large, entries, { signal: AbortSignal.abort(reason) }), reason);
});

test("pictureSources groups by type and orders by width; the last entry is the fallback", () => {
  const output = (index, type, width) => ({ index, type: `image/${type}`, width, height: width / 2, name: `a, b-${width}.${type}` });
  const outputs = [output(5, "jpeg", 400), output(0, "avif", 800), output(2, "webp", 400), output(1, "avif", 400), output(3, "webp", 400), output(4, "jpeg", 800)];
  const { sources, img } = pictureSources(outputs, ({ name }) => `/i/${name}`);
  assert.deepEqual(sources, [
    { type: "image/avif", srcset: "/i/a%2C%20b-400.avif 400w, /i/a%2C%20b-800.avif 800w" },
    { type: "image/webp", srcset: "/i/a%2C%20b-400.webp 400w" },
  ]);
  assert.deepEqual(img, { src: "/i/a%2C%20b-800.jpeg", srcset: "/i/a%2C%20b-400.jpeg 400w, /i/a%2C%20b-800.jpeg 800w", width: 800, height: 400 });
});

test("a page makes the same bytes, in its workers", async (t) => {
  const browser = await launchChromium();
  after(() => browser.close());
  const project = createBrowserProject(consumer, browser, new Map([["/large.jpg", large]]));
  const { page, close } = await project.open();
  t.after(close);
  const hashes = await page.evaluate(async (entries) => {
    const found = [];
    const hash = async (blob) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()))).join();
    for await (const { index, blob } of filepress.variants(await file("/large.jpg"), entries)) found[index] = await hash(blob);
    return found;
  }, entries);
  const expected = await Promise.all(byIndex(await all(large, entries)).map(async ({ bytes }) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", await bytes()))).join()));
  assert.deepEqual(hashes, expected);
});

test("the command line makes them together, and prints their markup", async () => {
  const folder = createConsumer().folder;
  writeFileSync(`${folder}/a photo.jpg`, large);
  const run = (...args) => execFileSync(process.execPath, [`${consumer.installed}/bin/filepress.js`, ...args], { cwd: folder, encoding: "utf8" });
  const html = run("a photo.jpg", "--to", "webp,png,jpg", "--widths", "300,400", "--only-if-smaller", "--html", "--out", "set/");
  assert.equal(html, `<picture>
  <source type="image/webp" srcset="a%20photo-300.webp 300w, a%20photo-400.webp 400w" sizes="100vw">
  <img src="a%20photo-400.jpg" srcset="a%20photo-300.jpg 300w, a%20photo-400.jpg 400w" sizes="100vw" width="400" height="267" alt="">
</picture>
`);
  const { bytes } = await compress(large, { to: "webp", resize: { maxWidth: 300 } });
  assert.deepEqual(new Uint8Array(readFileSync(`${folder}/set/a photo-300.webp`)), await bytes());
});

test("an animation and its first frame come from one call", async () => {
  const animated = await sample("animated.gif");
  const [webp, still] = byIndex(await all(animated, [{ to: "webp" }, { to: "jpeg", animation: "first" }]));
  assert.deepEqual(await webp.bytes(), await (await compress(animated, { to: "webp" })).bytes());
  assert.deepEqual(await still.bytes(), await (await compress(animated, { to: "jpeg", animation: "first" })).bytes());
});
