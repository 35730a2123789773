// The entry filepress/web, which has all builds except `avif` and `full`: in Node, in a page, and in workerd.
import { strict as assert } from "node:assert";
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
const photo = await sample("baseline.jpg");
const TYPES = ["jpeg", "png", "webp", "gif", "bmp", "ico", "pnm", "tga", "farbfeld", "qoi"];

/** What each call for `photo` comes to: the length of the output, or the code of the error. */
const outcomes = async (compress) => {
  const told = (to) => compress(photo, { to }).then(({ outputSize }) => outputSize, ({ code, details }) => [code, details.build]);
  return Object.fromEntries(await Promise.all([...TYPES, "avif", "tiff"].map(async (to) => [to, await told(to)])));
};
const expected = { ...(await outcomes(whole.compress)), avif: ["not_in_build", "full"], tiff: ["not_in_build", "full"] };

test("it exports what the package exports", () => {
  assert.deepEqual(Object.keys(web).sort(), Object.keys(whole).sort());
});

test("formats() says what it handles", async () => {
  const local = (rows) => rows.filter(({ engine }) => engine === "local");
  const rows = await web.formats();
  assert.deepEqual(local(rows).map(({ build }) => build), TYPES.map(() => "core"));
  assert.deepEqual(local(rows).map(({ type }) => type), local(await whole.formats()).filter(({ build }) => build === "core").map(({ type }) => type));
  for (const { name, autoQuality, transcode } of rows) assert.deepEqual([autoQuality, transcode], [false, false], name);
  for (const { name, read, write, engine } of rows.filter(({ build }) => build !== "core")) assert.deepEqual([read, write, engine], [false, false, "remote"], name);
});

test("in Node the bytes are the same, and what is missing is named", async () => {
  assert.deepEqual(await outcomes(web.compress), expected);
  const refusal = { code: "not_in_build", message: /"full" build, which is not part of "filepress\/web"\. Import from "filepress"/ };
  await assert.rejects(web.compress(photo, { quality: "auto" }), refusal);
  await assert.rejects(web.compress(photo, { lossless: true }), refusal);
  await assert.rejects(web.inspect(await sample("lossy.avif")), refusal);
  await assert.rejects(web.score(photo, photo), refusal);
});

test("in a page too", async (context) => {
  const browser = await launchChromium();
  context.after(() => browser.close());
  const { page, requests, close } = await createBrowserProject(consumer, browser, new Map([["/small.jpg", photo]])).open();
  context.after(close);
  const inPage = await page.evaluate(async () => {
    const { compress } = await import("/node_modules/filepress/web.browser.js");
    const input = await file("/small.jpg");
    const told = (to) => compress(input, { to }).then(({ outputSize }) => outputSize, ({ code, details }) => [code, details.build]);
    return { jpeg: await told("jpeg"), webp: await told("webp"), png: await told("png"), avif: await told("avif") };
  });
  const { jpeg, webp, png, avif } = expected;
  assert.deepEqual(inPage, { jpeg, webp, png, avif });
  assert.deepEqual(requests.filter((path) => /full|avif/.test(path) && path.endsWith(".wasm")), []);
});

test("a bundler finds neither the full build nor avif", async () => {
  const stdin = { contents: 'export * from "filepress/web";', resolveDir: consumer.folder };
  const { metafile } = await build({ stdin, bundle: true, write: false, metafile: true, format: "esm", platform: "browser", logLevel: "silent" });
  assert.deepEqual(Object.keys(metafile.inputs).filter((path) => /full|avif/.test(path)), []);
});

test("in workerd the script has two builds", async () => {
  const script = consumer.write("worker.mjs", `
    import { compress } from "filepress/web";
    export default {
      async fetch(request) {
        const to = request.headers.get("x-to");
        const told = await compress(await request.arrayBuffer(), { to }).then(({ outputSize }) => outputSize, ({ code, details }) => [code, details.build]);
        return Response.json(told);
      },
    };`);
  const { modules } = await bundle(script);
  assert.equal(modules.length, 3);
  const worker = await startWorker(modules);
  after(worker.close);
  for (const [to, told] of Object.entries(expected)) assert.deepEqual(await (await worker.post("/", photo, { "x-to": to })).json(), told, to);
});
