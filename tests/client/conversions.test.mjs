// `compress` and `convert` in a page with the live service: results, progress and aborts.
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { startService } from "../../scripts/service.mjs";
import { createBrowserProject } from "../package/support/browser-project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { readExif, TAGS } from "../package/support/exif.mjs";
import { photo } from "../package/support/pictures.mjs";
import { sample, toSharp } from "../package/support/samples.mjs";
import { STRICT } from "../package/support/site.mjs";
import { until } from "../package/support/until.mjs";
import { makeMedia, pages, probe } from "./support/media.mjs";

const folder = mkdtempSync(join(tmpdir(), "filepress-media-"));
const media = await makeMedia(folder);
media.set("photo.png", await sample("rgb.png", [320, 208]));
const signed = toSharp(photo(320, 208)).removeAlpha().withExif({ IFD0: { Artist: "Ada Example" } });
media.set("signed.jpg", await signed.jpeg({ quality: 95 }).toBuffer());

const browser = await launchChromium();
const policy = STRICT.replace("connect-src 'self'", "connect-src 'self' https://127.0.0.1:*");
const made = new Map([...media].map(([name, bytes]) => [`/${name}`, bytes]));
const { page, complaints, origin, close } = await createBrowserProject(createConsumer(), browser, made).open(policy, { ignoreHTTPSErrors: true }, (page) =>
  page.addInitScript(countRequests),
);
const service = await startService({ tls: true, args: ["--cors-origins", origin] });
after(async () => {
  await close();
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** For a page before its scripts run: `requests` lists the addresses that it asks, in the moment in which it does. */
function countRequests() {
  window.requests = [];
  const { fetch, XMLHttpRequest } = window;
  const { open } = XMLHttpRequest.prototype;
  window.fetch = (asked, ...given) => {
    requests.push(String(asked.url ?? asked));
    return fetch(asked, ...given);
  };
  XMLHttpRequest.prototype.open = function (method, url, ...given) {
    requests.push(String(url));
    return open.call(this, method, url, ...given);
  };
}

await page.evaluate(({ baseUrl, apiKey }) => {
  window.client = new filepress.Client({ baseUrl, apiKey, dangerouslyAllowBrowser: true });
  /** The outcome of a call for a file of the site, with all that was told; `abortAt` is a phase. */
  window.compressed = (path, options, abortAt) =>
    asPage(async () => {
      const events = [];
      const controller = new AbortController();
      const onProgress = (event) => {
        events.push(event);
        if (event.phase === abortAt) controller.abort("enough of it");
      };
      try {
        const result = await filepress.compress(await file(path), { client, onProgress, signal: controller.signal, ...options });
        const { blob, stream, bytes, ...facts } = result;
        const made = new Uint8Array(await new Response(blob ?? stream).arrayBuffer());
        const url = await new Promise((resolve) => {
          const reader = new FileReader();
          reader.onload = () => resolve(reader.result);
          reader.readAsDataURL(new Blob([made]));
        });
        return { facts, blobType: blob?.type, base64: url.slice(url.indexOf(",") + 1), events };
      } catch (error) {
        if (typeof error === "string") return { thrown: error, events };
        const { name, code, message, details } = error;
        return { error: { name, code, message, details }, events };
      }
    });
}, { baseUrl: service.url, apiKey: service.key });

const compressFile = async (name, options, abortAt) => {
  const outcome = await page.evaluate(([path, options, abortAt]) => compressed(path, options, abortAt), [`/${name}`, options, abortAt]);
  return { ...outcome, bytes: outcome.base64 === undefined ? undefined : Buffer.from(outcome.base64, "base64") };
};

/** The files or tasks that the server has of the user. */
const held = (kind) => page.evaluate((kind) => Array.fromAsync(client[kind].list()), kind);

/** How many requests to the server the page has made so far. */
const asked = () => page.evaluate((url) => requests.filter((address) => address.startsWith(url)).length, service.url);

/** Progress as it has to be told: in order, growing, within bounds, and to its end. */
function checkProgress(events, inputSize, outputSize) {
  const order = ["load", "upload", "process", "download", "done"];
  for (const [index, { phase, loaded, total, ratio, remaining, ...more }] of events.entries()) {
    const before = events[index - 1];
    assert.deepEqual(more, {});
    assert.ok(remaining === undefined || (Number.isInteger(remaining) && remaining >= 0), `${remaining} ms left`);
    assert.ok(order.indexOf(phase) >= order.indexOf(before?.phase ?? "load"), `${before?.phase}, ${phase}`);
    assert.ok(ratio >= (before?.ratio ?? 0) && ratio <= 1, `${ratio} after ${before?.ratio}`);
    assert.ok(Number.isInteger(loaded) && loaded >= 0 && loaded <= total, `${loaded} of ${total} in ${phase}`);
    if (phase === before?.phase) assert.ok(loaded >= before.loaded);
    assert.equal(total, phase === "download" ? outputSize : inputSize, phase);
  }
  assert.deepEqual([...new Set(events.map(({ phase }) => phase))], order);
  assert.deepEqual([events[0].phase, events[0].ratio, events.at(-1).phase, events.at(-1).ratio], ["load", 0, "done", 1]);
  assert.equal(events.at(-1).remaining, 0);
  assert.ok(events.filter(({ ratio }) => ratio === 1).every(({ phase }) => phase === "done"), "1 comes with the end");
  for (const [phase, all] of [["upload", inputSize], ["download", outputSize]]) {
    assert.equal(events.findLast((event) => event.phase === phase).loaded, all, phase);
  }
}

test("a film becomes a smaller film", async () => {
  const input = media.get("film.mp4");
  const { facts, bytes, blobType, events } = await compressFile("film.mp4", { settings: { crf: 34, preset: "ultrafast" }, resize: { maxWidth: 320 } });
  assert.deepEqual([facts.engine, facts.type, blobType, facts.inputType, facts.name], ["remote", "video/mp4", "video/mp4", "video/mp4", "film.mp4"]);
  assert.deepEqual([facts.inputSize, facts.outputSize, facts.task.status], [input.length, bytes.length, "COMPLETED"]);
  assert.deepEqual([facts.width, facts.height, Math.round(facts.duration)], [320, 180, 4]);
  assert.ok(bytes.length < input.length / 2);
  const { streams, size, seconds } = await probe(bytes, folder);
  assert.deepEqual([streams.toSorted(), size, Math.round(seconds)], [["aac", "h264"], [320, 180], 4]);
  checkProgress(events, input.length, bytes.length);
  assert.ok(events.filter(({ phase }) => phase === "process").length >= 2, "how the work proceeds was not told");
});

test("a sound becomes another type", async () => {
  const input = media.get("sound.wav");
  const { facts, bytes, events } = await compressFile("sound.wav", { to: "audio/mpeg", settings: { bitrate: 64_000 } });
  assert.deepEqual([facts.type, facts.inputType, facts.name, facts.outputSize], ["audio/mpeg", "audio/wav", "sound.mp3", bytes.length]);
  const { streams, seconds } = await probe(bytes, folder);
  assert.deepEqual([streams, Math.round(seconds)], [["mp3"], 4]);
  assert.ok(bytes.length < input.length / 4);
  checkProgress(events, input.length, bytes.length);
});

test("a document becomes a smaller document", async () => {
  const input = media.get("pages.pdf");
  const { facts, bytes, events } = await compressFile("pages.pdf", {});
  assert.deepEqual([facts.type, facts.name, facts.pages, facts.keptOriginal], ["application/pdf", "pages.pdf", 3, false]);
  assert.ok(bytes.length < input.length, `${bytes.length} of ${input.length}`);
  assert.equal(await pages(bytes, folder), 3);
  checkProgress(events, input.length, bytes.length);
});

test("a HEIC that Chromium does not decode goes to the server", async () => {
  const input = media.get("photo.heic");
  for (const [options, type, name] of [[{}, "image/jpeg", "photo.jpg"], [{ to: "webp", resize: { maxWidth: 160 } }, "image/webp", "photo.webp"]]) {
    const { facts, bytes, events } = await compressFile("photo.heic", options);
    assert.deepEqual([facts.engine, facts.type, facts.inputType, facts.name], ["remote", type, "image/heic", name]);
    const { format, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([`image/${format}`, width, height], [type, facts.width, facts.height]);
    assert.deepEqual([width, height], options.to ? [160, 104] : [320, 208]);
    checkProgress(events, input.length, bytes.length);
  }
  const before = await asked();
  const { error } = await compressFile("photo.heic", { engine: "local" });
  assert.deepEqual([error.code, error.details.type], ["needs_decoder", "image/heic"]);
  const pair = await compressFile("photo.heic", { to: "application/pdf" });
  assert.deepEqual([pair.error.code, pair.error.details.outputs.includes("image/png")], ["unsupported_pair", true]);
  assert.equal(await asked(), before);
});

test("a decoder that the page has reads a HEIC before the server", async () => {
  const before = await asked();
  await page.evaluate(() => filepress.init({ decoders: { "image/heic": () => new ImageData(8, 6) } }));
  const { facts } = await compressFile("photo.heic", { to: "png" });
  assert.deepEqual([facts.engine, facts.width, facts.height], ["local", 8, 6]);
  await page.evaluate(() => filepress.init({ decoders: {} }));
  assert.equal(await asked(), before);
});

test("the result as a stream", async () => {
  const { facts, bytes } = await compressFile("sound.wav", { to: "flac", as: "stream" });
  assert.equal(facts.outputSize, bytes.length);
  assert.deepEqual((await probe(bytes, folder)).streams, ["flac"]);
});

test("a server that removes author and copyright with the rest is warned of", async () => {
  const outcome = async (options) => {
    const { facts, bytes, error } = await compressFile("signed.jpg", { engine: "remote", ...options });
    assert.equal(error, undefined, error?.message);
    const { exif } = await sharp(bytes).metadata();
    return [facts.warnings.some(({ code }) => code === "metadata_dropped"), exif !== undefined && readExif(exif).has(TAGS.artist)];
  };
  const { facts } = await compressFile("signed.jpg", { engine: "remote" });
  assert.match(facts.warnings[0].message, /removed author and copyright together with location/);
  for (const options of [{}, { metadata: "safe" }, { metadata: "safe", to: "webp" }]) assert.deepEqual(await outcome(options), [true, false]);
  assert.deepEqual(await outcome({ metadata: "keep" }), [false, true]);
  for (const options of [{ metadata: "strip" }, { settings: { strip_metadata: true } }, { to: "gif" }]) assert.deepEqual(await outcome(options), [false, false]);
  assert.deepEqual(await outcome({ settings: { strip_metadata: false } }), [false, true]);
  assert.deepEqual((await compressFile("signed.jpg", { engine: "local" })).facts.warnings, []);
});

test("an image stays here, goes there when asked to, and when it is over a limit of here", async () => {
  const before = await asked();
  const here = await compressFile("photo.png", { to: "webp" });
  assert.deepEqual([here.facts.engine, await asked()], ["local", before]);
  const there = await compressFile("photo.png", { to: "webp", engine: "remote" });
  assert.ok((await asked()) > before);
  assert.deepEqual([there.facts.engine, there.facts.warnings.map(({ code }) => code)], ["remote", ["metadata_dropped"]]);
  const over = await compressFile("photo.png", { to: "webp", limits: { maxPixels: 1000 } });
  assert.deepEqual([over.facts.engine, over.facts.warnings.map(({ code }) => code)], ["remote", ["over_local_limit", "metadata_dropped"]]);
  for (const { bytes } of [here, there, over]) {
    const { format, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([format, width, height], ["webp", 320, 208]);
  }
  assert.ok(there.bytes.equals(here.bytes), "the same engine gives the same bytes");
  const local = await compressFile("photo.png", { to: "webp", engine: "local", limits: { maxPixels: 1000 } });
  assert.deepEqual([local.error.name, local.error.code], ["LimitError", "too_many_pixels"]);
});

test("what no service makes of it is refused before anything is sent", async () => {
  const before = await asked();
  const { error } = await compressFile("sound.wav", { to: "image/png" });
  assert.deepEqual([error.name, error.code, error.details.type], ["OptionsError", "unsupported_pair", "image/png"]);
  assert.ok(error.details.outputs.includes("audio/flac") && !error.details.outputs.includes("video/mp4"), `${error.details.outputs}`);
  const alone = await compressFile("film.mp4", { engine: "local" });
  assert.deepEqual([alone.error.name, alone.error.code], ["OptionsError", "needs_service"]);
  const without = await compressFile("film.mp4", { client: undefined });
  assert.deepEqual([without.error.name, without.error.code], ["OptionsError", "needs_service"]);
  assert.equal(await asked(), before);
});

test("an abort ends the call in each of its phases, and the server works on for others", async () => {
  for (const phase of ["load", "upload", "process", "download"]) {
    const { thrown, events } = await compressFile("film.mp4", { settings: { preset: "ultrafast" } }, phase);
    assert.equal(thrown, "enough of it", phase);
    assert.equal(events.at(-1).phase, phase);
    // Its task is canceled, and its files are deleted.
    await until(async () => (await held("files")).length === 0 && (await held("tasks")).every(({ processedAt }) => processedAt));
    const before = await asked();
    await sleep(1300);
    assert.equal(await asked(), before, `asked after an abort in ${phase}`);
  }
  const codes = (await held("tasks")).map(({ processingMetadata }) => processingMetadata.error?.code);
  assert.ok(codes.includes("canceled"), `${codes}`);
  const { facts } = await compressFile("sound.wav", { to: "audio/mpeg" });
  assert.equal(facts.task.status, "COMPLETED");
});

test("a page that only talks to the server loads the client build and nothing more of the engine", async () => {
  const other = await browser.newPage({ ignoreHTTPSErrors: true });
  const loaded = [];
  other.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await other.goto(`${origin}/page.html`);
  await other.waitForFunction(() => window.filepress !== undefined);
  const user = await other.evaluate(async ([baseUrl, apiKey, path]) => {
    const client = new filepress.Client({ baseUrl, apiKey, dangerouslyAllowBrowser: true });
    await filepress.compress(await (await fetch(path)).blob(), { client, to: "audio/mpeg" });
    return client.users.me();
  }, [service.url, service.key, "/sound.wav"]);
  await other.close();
  assert.equal(user.email, "someone@example.com");
  assert.deepEqual(loaded.filter((path) => /\.wasm$|worker-/.test(path)).map((path) => path.split("/").slice(-2).join("/")), ["client/filepress_bg.wasm"]);
});

test("what fails there says why", async () => {
  made.set("/broken.mp4", media.get("film.mp4").subarray(0, 3000));
  const { error } = await compressFile("broken.mp4", {});
  assert.deepEqual([error.name, error.code, error.details.reason], ["RemoteError", "task_failed", "corrupt_file"]);
});

test("the page has nothing to complain of", () => assert.deepEqual(complaints, []));
