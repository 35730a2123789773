// The entries filepress/web, which has all builds except `photo_avif`, `avif`, `full` and `jxl`, and filepress/avif, which has the
// first two of them: in Node, in a page, and in workerd.
import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "esbuild";
import { launchChromium } from "./support/chromium.mjs";
import { createBrowserProject } from "./support/browser-project.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";
import { bundle, startWorker } from "./support/workerd.mjs";

const consumer = createConsumer();
const whole = await consumer.import();
const web = await consumer.import("filepress/web");
const avif = await consumer.import("filepress/avif");
const photo = await sample("baseline.jpg");
const TYPES = ["jpeg", "png", "webp", "gif", "bmp", "ico", "pnm", "tga", "farbfeld", "qoi"];

/** What each call for `photo` comes to: the length of the output, or the code of the error. */
const outcomes = async (compress) => {
  const told = (to) => compress(photo, { to }).then(({ outputSize }) => outputSize, ({ code, details }) => [code, details.build]);
  return Object.fromEntries(await Promise.all([...TYPES, "avif", "tiff"].map(async (to) => [to, await told(to)])));
};
const written = await outcomes(whole.compress);
const ofAvif = { ...written, tiff: ["not_in_build", "full"] };
const expected = { ...ofAvif, avif: ["not_in_build", "full"] };

test("they export what the package exports", () => {
  for (const entry of [web, avif]) assert.deepEqual(Object.keys(entry).sort(), Object.keys(whole).sort());
});

test("formats() says what it handles", async () => {
  const local = (rows) => rows.filter(({ engine }) => engine === "local");
  const rows = await web.formats();
  assert.deepEqual(local(rows).map(({ build }) => build), TYPES.map(() => "core"));
  assert.deepEqual(local(rows).map(({ type }) => type), local(await whole.formats()).filter(({ build }) => build === "core").map(({ type }) => type));
  for (const { name, autoQuality, transcode } of rows) assert.deepEqual([autoQuality, transcode], [false, false], name);
  for (const { name, read, write, engine } of rows.filter(({ build }) => build !== "core")) assert.deepEqual([read, write, engine], [false, false, "remote"], name);
});

test("filepress/avif writes AVIF, and does not read it", async () => {
  const rows = await avif.formats();
  const { read, write, engine, build } = rows.find(({ type }) => type === "image/avif");
  assert.deepEqual({ read, write, engine, build }, { read: false, write: true, engine: "local", build: "avif" });
  const others = (all) => all.filter(({ type }) => type !== "image/avif");
  assert.deepEqual(others(rows), others(await web.formats()));
});

test("in Node the bytes are the same, and what is missing is named", async () => {
  assert.deepEqual(await outcomes(web.compress), expected);
  assert.deepEqual(await outcomes(avif.compress), ofAvif);
  const refusal = { code: "not_in_build", message: /"full" build, which this entry of the package does not have\. Import from "filepress"/ };
  for (const entry of [web, avif]) {
    await assert.rejects(entry.compress(photo, { quality: "auto" }), refusal);
    await assert.rejects(entry.compress(photo, { lossless: true }), refusal);
    await assert.rejects(entry.inspect(await sample("lossy.avif")), refusal);
    await assert.rejects(entry.score(photo, photo), refusal);
    await assert.rejects(entry.convert(await sample("animated.gif"), "avif"), refusal);
  }
  const [picture, lossless] = [await sample("palette.png"), await sample("lossless.webp")];
  for (const input of [picture, lossless]) {
    await assert.rejects(web.convert(input, "avif"), refusal);
    const [small, large] = await Promise.all([avif, whole].map(({ convert }) => convert(input, "avif", { effort: 1 })));
    assert.deepEqual(await small.blob.bytes(), await large.blob.bytes());
  }
});

test("a call that needs another build does not keep those from their work that were made at the same time", async () => {
  const fresh = createConsumer();
  const { convert } = await fresh.import("filepress/avif");
  const inputs = [await sample("animated.gif"), await sample("palette.png"), photo, await sample("lossless.webp")];
  const told = await Promise.allSettled(inputs.map((input) => convert(input, "avif", { effort: 0 })));
  assert.deepEqual(told.map(({ reason, value }) => reason?.code ?? value.type), ["not_in_build", "image/avif", "image/avif", "image/avif"]);
});

test("init refuses a build that the entry has not, and calls go on", async () => {
  const refusal = { name: "OptionsError", code: "not_in_build", details: { build: "full" } };
  const full = await readFile(join(consumer.installed, "wasm/full/filepress_bg.wasm"));
  for (const name of ["web", "avif"]) {
    const { init, compress } = await createConsumer().import(`filepress/${name}`);
    for (const given of [full, { full }, { wasm: full }]) await assert.rejects(init(given), refusal);
    assert.equal((await compress(photo)).outputSize, written.jpeg);
  }
});

test("in a page too", async (context) => {
  const browser = await launchChromium();
  context.after(() => browser.close());
  const { page, requests, close } = await createBrowserProject(consumer, browser, new Map([["/small.jpg", photo]])).open();
  context.after(close);
  const inPage = (name) =>
    page.evaluate(async (name) => {
      const { compress } = await import(`/node_modules/filepress/${name}.browser.js`);
      const input = await file("/small.jpg");
      const told = (to) => compress(input, { to }).then(({ outputSize }) => outputSize, ({ code, details }) => [code, details.build]);
      return { jpeg: await told("jpeg"), webp: await told("webp"), png: await told("png"), avif: await told("avif") };
    }, name);
  const some = ({ jpeg, webp, png, avif }) => ({ jpeg, webp, png, avif });
  assert.deepEqual(await inPage("web"), some(expected));
  assert.deepEqual(requests.filter((path) => /full|avif/.test(path) && path.endsWith(".wasm")), []);
  assert.deepEqual(await inPage("avif"), some(ofAvif));
  assert.deepEqual(requests.filter((path) => path.includes("full") && path.endsWith(".wasm")), []);
});

test("a bundler finds neither the full build nor avif, or only the full one", async () => {
  for (const [name, missing] of [["web", /full|avif/], ["avif", /full/]]) {
    const stdin = { contents: `export * from "filepress/${name}";`, resolveDir: consumer.folder };
    const { metafile } = await build({ stdin, bundle: true, write: false, metafile: true, format: "esm", platform: "browser", logLevel: "silent" });
    assert.deepEqual(Object.keys(metafile.inputs).filter((path) => missing.test(path)), [], name);
  }
});

const inWorkerd = async (name, builds, told) => {
  const script = consumer.write(`worker-${name}.mjs`, `
    import { compress } from "filepress/${name}";
    export default {
      async fetch(request) {
        const to = request.headers.get("x-to");
        const told = await compress(await request.arrayBuffer(), { to }).then(({ outputSize }) => outputSize, ({ code, details }) => [code, details.build]);
        return Response.json(told);
      },
    };`);
  const { modules } = await bundle(script);
  assert.equal(modules.length, builds + 1);
  const worker = await startWorker(modules);
  after(worker.close);
  const outcomeOf = async (input, to) => (await worker.post("/", input, { "x-to": to })).json();
  for (const [to, outcome] of Object.entries(told)) assert.deepEqual(await outcomeOf(photo, to), outcome, to);
  return outcomeOf;
};

test("in workerd the script has two builds", () => inWorkerd("web", 2, expected));
test("in workerd that of filepress/avif has three, one of which makes AVIF of a photo and of a PNG", async () => {
  const outcomeOf = await inWorkerd("avif", 3, ofAvif);
  const picture = await sample("palette.png");
  assert.equal(await outcomeOf(picture, "avif"), (await whole.compress(picture, { to: "avif" })).outputSize);
});
