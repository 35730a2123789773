// The package in a page of Chromium under a strict Content-Security-Policy.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createBrowserProject } from "./support/browser-project.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { longestTask } from "./support/main-thread.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";
import { STRICT } from "./support/site.mjs";

const browser = await launchChromium();
const small = await sample("baseline.jpg");
const large = await toSharp(photo(4000, 3000)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
const made = new Map([["/small.jpg", small], ["/large.jpg", large], ["/words.txt", Buffer.from("just some words")]]);
for (const name of ["lossy.avif", "deflated.tiff", "plain.exr", "coded.hdr", "plain.dds", "drawn.svg"]) made.set(`/${name}`, await sample(name));
const project = createBrowserProject(createConsumer(), browser, made);
const { page, complaints, requests, close } = await project.open();
after(() => close().then(() => browser.close()));

test("importing loads scripts and nothing else", () => {
  assert.deepEqual(requests.filter((path) => !/\.(m?js|html)$/.test(path)), []);
});

test("the policy is in force where the tests call", async () => {
  assert.equal(await page.evaluate(() => allowsEval()), false);
});

test("a File becomes smaller, and the browser can show it", async () => {
  const result = await page.evaluate(() => press("/small.jpg"));
  assert.deepEqual([result.type, result.name, result.inputSize], ["image/jpeg", "small.jpg", small.length]);
  assert.deepEqual([result.size, result.decoded, result.blobSize], [[160, 104], [160, 104], result.outputSize]);
  assert.ok(result.outputSize < small.length);
});

test("of a Response no more is read than the limit allows, and an abort ends its download", async () => {
  const outcomes = await page.evaluate(() =>
    asPage(async () => {
      const controller = new AbortController();
      const cancelled = [];
      const endless = (pull) => new Response(new ReadableStream({ pull, cancel: (reason) => void cancelled.push(reason.code ?? reason) }));
      const long = endless((stream) => stream.enqueue(new Uint8Array(65_536)));
      const refused = await attempt(long, { limits: { maxInputBytes: 100_000 } });
      const call = filepress.compress(endless(() => new Promise(() => {})), { signal: controller.signal });
      controller.abort("enough");
      return [refused.code, refused.details, await call.catch((reason) => reason), cancelled];
    }),
  );
  assert.deepEqual(outcomes, ["input_too_large", { actual: 131_072, limit: 100_000 }, "enough", ["input_too_large", "enough"]]);
});

test("only the builds that are needed are fetched, once", async () => {
  const fetched = () => requests.filter((path) => path.endsWith(".wasm")).map((path) => path.match(/wasm\/(\w+)\//)[1]);
  const turnsInto = async (...types) => {
    for (const to of types) {
      const { decoded, type } = await page.evaluate((to) => press("/small.jpg", { to, resize: { maxWidth: 80 } }), to);
      assert.deepEqual(decoded, [80, 52], type);
    }
  };
  await turnsInto("jpeg", "webp");
  assert.deepEqual(fetched(), ["client", "photo"]);
  await turnsInto("png", "webp", "gif", "bmp", "ico", "jpeg");
  assert.deepEqual(fetched(), ["client", "photo", "core"]);
});

test("the full build is fetched for the first file that needs it, and once", async () => {
  const fetched = () => requests.filter((path) => path.endsWith("wasm/full/filepress_bg.wasm")).length;
  assert.equal(fetched(), 0);
  const avif = await page.evaluate(() => press("/small.jpg", { to: "avif", resize: { maxWidth: 80 } }));
  assert.deepEqual([avif.type, avif.decoded], ["image/avif", [80, 52]]);
  assert.equal(fetched(), 1);
  for (const [path] of [...made].filter(([path]) => /\.(avif|tiff|exr|hdr|dds|svg)$/.test(path))) {
    const { type, decoded, message } = await page.evaluate((path) => press(path, { to: "webp" }), path);
    assert.deepEqual([type, decoded], ["image/webp", [160, 104]], `${path}: ${message}`);
  }
  assert.equal(fetched(), 1);
});

test("errors are of the package's classes", async () => {
  const { name, code, ours } = await page.evaluate(() => press("/words.txt"));
  assert.deepEqual([name, code, ours], ["InputError", "unsupported_type", true]);
});

test("workers are reused: no more of them than processors, however many calls", async () => {
  const calls = await page.evaluate(async () => {
    const results = await Promise.all(Array.from({ length: 24 }, () => press("/small.jpg")));
    return results.map(({ decoded }) => decoded?.join());
  });
  assert.deepEqual(new Set(calls), new Set(["160,104"]));
  const processors = await page.evaluate(() => navigator.hardwareConcurrency);
  assert.ok(page.workers().length >= 1 && page.workers().length <= Math.min(processors, 8), `${page.workers().length} workers`);
});

test("what blocks the page is seen", async () => {
  const longest = await longestTask(browser, page, () =>
    page.evaluate(() =>
      asPage(async () => {
        let sum = 0;
        for (let round = 0; round < 4e8; round++) sum = (sum + round) | 0;
        return sum;
      }),
    ),
  );
  assert.ok(longest > 50, `${longest} ms`);
});

test("a photo of 4000 × 3000 does not take the page for 50 ms while it is pressed", async () => {
  const runs = [];
  // What is done only once, such as the start of a worker, is in the first.
  while (runs.length < 3) {
    const longest = await longestTask(browser, page, async () => {
      const result = await page.evaluate(() => press("/large.jpg"));
      assert.ok(result.outputSize < result.inputSize, result.message);
    });
    runs.push(longest);
  }
  assert.ok(Math.min(...runs) < 50, `${runs} ms`);
});

test("abort() ends a running call at once, and the pool goes on", async () => {
  for (let round = 0; round < 3; round++) {
    const { name, isDomException, next } = await page.evaluate(async () => {
      const controller = new AbortController();
      const input = await file("/large.jpg");
      const call = new Promise((resolve, reject) => {
        const onProgress = ({ phase }) => phase === "encode" && resolve({ pressing });
        const pressing = asPage(() => filepress.compress(input, { signal: controller.signal, onProgress }));
        pressing.catch(() => {});
        pressing.then(reject, reject);
      });
      const { pressing } = await call;
      controller.abort();
      const late = new Promise((resolve) => setTimeout(resolve, 100, new Error("100 ms have passed")));
      const error = await Promise.race([pressing.catch((thrown) => thrown), late]);
      return { name: error.name, isDomException: error instanceof DOMException, next: await press("/small.jpg") };
    });
    assert.deepEqual([name, isDomException], ["AbortError", true]);
    assert.deepEqual(next.decoded, [160, 104]);
  }
});

test("the page had nothing to complain about", () => {
  assert.deepEqual(complaints, []);
});

test("a policy without 'wasm-unsafe-eval' is named in the error", async (context) => {
  const strict = await project.open(STRICT.replace(" 'wasm-unsafe-eval'", ""));
  context.after(strict.close);
  const error = await strict.page.evaluate(() => press("/small.jpg"));
  assert.deepEqual([error.name, error.code, error.retryable], ["InternalError", "engine_load", true]);
  assert.match(error.message, /wasm-unsafe-eval/);
});

test("a policy that forbids workers is named in the error", async (context) => {
  const strict = await project.open(STRICT.replace("worker-src 'self'", "worker-src 'none'"));
  context.after(strict.close);
  const error = await strict.page.evaluate(() => press("/small.jpg"));
  assert.deepEqual([error.name, error.code], ["InternalError", "worker_failed"]);
  assert.match(error.message, /worker-src/);
});

test("wasm that cannot be fetched is an error that may pass", async (context) => {
  const { page, close } = await project.open();
  context.after(close);
  const path = "/node_modules/filepress/wasm/photo/filepress_bg.wasm";
  made.set(path, Buffer.from("not a module"));
  const error = await page.evaluate(() => press("/small.jpg"));
  made.delete(path);
  assert.deepEqual([error.code, error.retryable], ["engine_load", true]);
  assert.deepEqual((await page.evaluate(() => press("/small.jpg"))).decoded, [160, 104]);
});
