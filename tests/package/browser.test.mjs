// What only a page in Chromium can show: workers, long tasks, policies.
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
const made = new Map([["/small.jpg", small], ["/large.jpg", large]]);
const project = createBrowserProject(createConsumer(), browser, made);
const { page, complaints, requests, close } = await project.open();
after(() => close().then(() => browser.close()));

test("workers are reused: no more of them than processors, however many calls", async () => {
  const calls = await page.evaluate(async () => {
    const results = await Promise.all(Array.from({ length: 24 }, () => compressFile("/small.jpg")));
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

test("a photo of 4000 × 3000 does not take the page for 50 ms while it is compressed", async () => {
  const runs = [];
  // What is done only once, such as the start of a worker, is in the first.
  while (runs.length < 3) {
    const longest = await longestTask(browser, page, async () => {
      const result = await page.evaluate(() => compressFile("/large.jpg"));
      assert.ok(result.outputSize < result.inputSize, result.message);
    });
    runs.push(longest);
  }
  assert.ok(Math.min(...runs) < 50, `${runs} ms`);
});

test("the page had nothing to complain about", () => {
  assert.deepEqual(complaints, []);
});

test("a policy without 'wasm-unsafe-eval' is named in the error", async (context) => {
  const strict = await project.open(STRICT.replace(" 'wasm-unsafe-eval'", ""));
  context.after(strict.close);
  const error = await strict.page.evaluate(() => compressFile("/small.jpg"));
  assert.deepEqual([error.name, error.code, error.retryable], ["InternalError", "engine_load", true]);
  assert.match(error.message, /wasm-unsafe-eval/);
});

test("a policy that forbids the wasm to be fetched is named in the error", async (context) => {
  const strict = await project.open(STRICT);
  context.after(strict.close);
  // The page fetches its picture before the policy that forbids it.
  const error = await strict.page.evaluate(async () => {
    const input = await file("/small.jpg");
    const meta = Object.assign(document.createElement("meta"), { httpEquiv: "Content-Security-Policy", content: "connect-src 'none'" });
    document.head.append(meta);
    return asPage(() => attempt(input));
  });
  assert.deepEqual([error.name, error.code, error.retryable], ["InternalError", "engine_load", true]);
  assert.match(error.message, /connect-src 'self'/);
});

test("wasm that cannot be fetched is an error that may pass", async (context) => {
  const { page, close } = await project.open();
  context.after(close);
  const path = "/node_modules/filepress/wasm/photo/filepress_bg.wasm";
  made.set(path, Buffer.from("not a module"));
  const error = await page.evaluate(() => compressFile("/small.jpg"));
  made.delete(path);
  assert.deepEqual([error.code, error.retryable], ["engine_load", true]);
  assert.deepEqual((await page.evaluate(() => compressFile("/small.jpg"))).decoded, [160, 104]);
});
