// score() in Node, workerd and Chromium. The engine's tests compare the number with the reference crate.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createBrowserProject } from "./support/browser-project.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure, failureOf } from "./support/failure.mjs";
import { glass, photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";
import { bundle, startWorker } from "./support/workerd.mjs";

const consumer = createConsumer();
const api = await consumer.import();
const { compress, convert, score } = api;
const fail = (promise, name, code) => expectFailure(api, promise, name, code);
const picture = new Uint8Array(await toSharp(photo(180, 120)).removeAlpha().png().toBuffer());
const baseline = await sample("baseline.jpg");

test("a file against itself has 100, and a coarser one less", async () => {
  assert.deepEqual(await score(picture, picture), { score: 100, width: 180, height: 120, resized: false, warnings: [] });
  const scores = [];
  for (const quality of [90, 60, 20]) {
    const { blob } = await convert(picture, "jpeg", { quality });
    scores.push((await score(picture, blob)).score);
  }
  assert.ok(scores[0] < 100 && scores[0] > scores[1] && scores[1] > scores[2], scores.join());
});

test("the score is that by which a quality was searched, in the size that was asked for", async () => {
  for (const to of ["jpeg", "webp", "png", "avif"]) {
    for (const resize of [undefined, { maxWidth: 97 }]) {
      const search = { quality: "auto", minScore: 60, resize };
      const { blob, score: searched, width, height } = await convert(picture, to, search);
      const found = await score(picture, blob);
      assert.deepEqual(found, { score: searched, width, height, resized: resize !== undefined, warnings: [] }, to);
    }
  }
});

test("both are turned upright, and their colors are those of sRGB", async () => {
  const lying = toSharp(photo(180, 120)).removeAlpha().withMetadata({ orientation: 6 });
  const turned = new Uint8Array(await lying.jpeg({ quality: 95 }).toBuffer());
  const upright = await score(turned, (await convert(turned, "png")).blob);
  assert.deepEqual([upright.score, upright.width, upright.height], [100, 120, 180]);
  const wide = await sample("wide-gamut.jpg");
  const [converted, carried] = await Promise.all(["qoi", "png"].map(async (to) => score(wide, (await convert(wide, to)).blob)));
  assert.deepEqual([converted.score, carried.score], [100, 100]);
});

test("what is transparent is painted over a background where the other cannot be", async () => {
  const clear = new Uint8Array(await toSharp(glass(120, 90)).png().toBuffer());
  const { blob } = await convert(clear, "jpeg", { quality: 95, background: "#204060" });
  const over = async (background) => (await score(clear, blob, background && { background })).score;
  const [own, white] = [await over("#204060"), await over()];
  assert.ok(own > 80 && white < own - 30, `${own} ${white}`);
  const webp = await convert(clear, "webp", { lossless: true });
  assert.equal((await score(clear, webp.blob)).score, 100);
});

test("a drawing is compared in the size of what was made of it", async () => {
  const drawing = await sample("drawn.svg");
  const { blob, width, height } = await convert(drawing, "png", { resize: { width: 64 } });
  assert.deepEqual(await score(drawing, blob), { score: 100, width, height, resized: true, warnings: [] });
});

test("of what moves the first frame is compared, and that is said", async () => {
  const [moving, pages] = await Promise.all([sample("animated.gif"), sample("pages.tiff")]);
  const codes = async (...files) => (await score(...files)).warnings.map(({ code, message }) => [code, message.split(" ")[1]]);
  const { blob } = await convert(moving, "png", { animation: "first" });
  assert.deepEqual(await codes(moving, blob), [["animation_dropped", "original"]]);
  assert.deepEqual(await codes(blob, moving), [["animation_dropped", "other"]]);
  assert.deepEqual(await codes(pages, pages), [["pages_dropped", "original"], ["pages_dropped", "other"]]);
});

test("pictures of other shapes are refused, a pixel is none", async () => {
  const sized = async (width, height) => (await convert(picture, "png", { resize: { width, height } })).blob;
  await fail(score(picture, await sized(120, 120)), "InputError", "sizes_differ");
  await fail(score(picture, await sized(180, 117)), "InputError", "sizes_differ");
  for (const size of [[90, 60], [91, 60], [47, 31], [360, 240], [1, 1]]) {
    assert.equal((await score(picture, await sized(...size))).resized, true);
  }
});

test("errors are those of the other calls, and name the file", async () => {
  const cut = baseline.subarray(0, baseline.length / 2);
  for (const [bad, name, code] of [
    [new Uint8Array(), "InputError", "empty_input"],
    [new Uint8Array(50), "InputError", "unknown_type"],
    [Buffer.from("just some words\n"), "InputError", "unsupported_type"],
    [cut, "InputError", "corrupt"],
    ["photo.jpg", "InputError", "unreadable_input"],
    [Buffer.from("%PDF-1.7\n", "latin1"), "OptionsError", "needs_service"],
  ]) {
    assert.equal((await fail(score(bad, baseline), name, code)).details.file, "original");
    assert.equal((await fail(score(baseline, bad), name, code)).details.file, "other");
  }
  assert.equal((await fail(score(baseline, baseline, { quality: 5 }), "OptionsError", "unknown_option")).details.file, undefined);
  await fail(score(baseline, baseline, { background: "teal" }), "OptionsError", "invalid_option");
  assert.equal((await fail(score(baseline), "InputError", "unreadable_input")).details.file, "other");
});

test("limits are held before a pixel is decoded, memory for both together", async () => {
  const limited = async (limits, code, ...files) => (await fail(score(...files, { limits }), "LimitError", code)).details;
  const large = await toSharp(photo(320, 208)).removeAlpha().jpeg({ quality: 95 }).toBuffer();
  for (const [file, ...files] of [["other", baseline, large], ["original", large, baseline]]) {
    const [bytes, pixels] = [large.length, 320 * 208];
    const told = await limited({ maxInputBytes: bytes - 1 }, "input_too_large", ...files);
    assert.deepEqual(told, { actual: bytes, limit: bytes - 1, file });
    const counted = await limited({ maxPixels: pixels - 1 }, "too_many_pixels", ...files);
    assert.deepEqual(counted, { actual: pixels, limit: pixels - 1, file });
  }
  const { needBytes } = await limited({ maxMemoryBytes: 100_000 }, "too_much_memory", baseline, baseline);
  assert.ok(needBytes > 160 * 104 * 14);
  await score(baseline, baseline, { limits: { maxMemoryBytes: needBytes } });
  await limited({ maxMemoryBytes: needBytes - 1 }, "too_much_memory", baseline, baseline);
});

test("an abort ends it, and the pool goes on", async () => {
  const signal = AbortSignal.abort();
  assert.equal(await failureOf(score(baseline, baseline, { signal })), signal.reason);
  const large = await toSharp(photo(2400, 1800)).removeAlpha().jpeg({ quality: 92 }).toBuffer();
  const controller = new AbortController();
  const call = score(large, large, { signal: controller.signal });
  call.catch(() => {});
  // Long enough to be under way, and far from done.
  await compress(baseline);
  controller.abort(new Error("no longer wanted"));
  assert.equal((await failureOf(call)).message, "no longer wanted");
  assert.equal((await score(baseline, baseline)).score, 100);
});

test("buffers stay whole, and both files may be any kind of input", async () => {
  const bytes = picture.slice();
  const { blob } = await compress(baseline);
  const scores = [
    await score(baseline, blob),
    await score(new Blob([baseline]), await blob.arrayBuffer()),
    await score(new Response(baseline), new File([blob], "photo.jpg")),
  ];
  assert.deepEqual(scores[1], scores[0]);
  assert.deepEqual(scores[2], scores[0]);
  await score(bytes, bytes);
  assert.deepEqual(bytes, picture);
});

test("the number is one in Node, in workerd and in Chromium", async () => {
  const other = await (await convert(picture, "avif", { quality: 40, resize: { maxWidth: 120 } })).bytes();
  const expected = await score(picture, other);
  const script = consumer.write("score.mjs", `
    import { score } from "filepress";
    export default {
      async fetch(request) {
        const form = await request.formData();
        return Response.json(await score(form.get("original"), form.get("other")).catch(({ code }) => ({ code })));
      },
    };`);
  const worker = await startWorker((await bundle(script)).modules);
  after(worker.close);
  const ask = async (original, other) => {
    const form = new FormData();
    form.set("original", new Blob([original]));
    form.set("other", new Blob([other]));
    const request = new Request("http://worker/", { method: "POST", body: form });
    const headers = { "content-type": request.headers.get("content-type") };
    return (await worker.post("/", Buffer.from(await request.arrayBuffer()), headers)).json();
  };
  assert.deepEqual(await ask(picture, other), expected);
  assert.deepEqual(await ask(picture, baseline), { code: "sizes_differ" });
  const browser = await launchChromium();
  const made = new Map([["/original", Buffer.from(picture)], ["/other", Buffer.from(other)]]);
  const { page, complaints, close } = await createBrowserProject(consumer, browser, made).open();
  after(() => close().then(() => browser.close()));
  const found = await page.evaluate(() => asPage(async () => filepress.score(await file("/original"), await file("/other"))));
  assert.deepEqual(found, expected);
  assert.deepEqual(complaints, []);
});
