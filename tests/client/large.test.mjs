// Uploads 1.5 GB from Node and from a page. Neither WebAssembly memory nor the heap grows.
import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, createReadStream, mkdtempSync, openSync, closeSync, ftruncateSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrowserProject } from "../package/support/browser-project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { STRICT } from "../package/support/site.mjs";
import { openSink } from "./support/sink.mjs";

const SIZE = 1_500_000_000;
const MEGABYTE = 1_000_000;
const HEAP = 50 * MEGABYTE;

const run = promisify(execFile);
const memories = fileURLToPath(new URL("./support/memories.js", import.meta.url));
const consumer = createConsumer();
const folder = mkdtempSync(join(tmpdir(), "filepress-large-"));
const sink = await openSink();
after(async () => {
  await sink.close();
  rmSync(folder, { recursive: true });
});

/** A file with holes, so that it takes no room: something here and there, another thing each time. */
const path = join(folder, "large.bin");
const descriptor = openSync(path, "w");
ftruncateSync(descriptor, SIZE);
for (let place = 0; place < SIZE; place += 100 * MEGABYTE) writeSync(descriptor, `here are the bytes behind ${place}`, place);
writeSync(descriptor, "the end", SIZE - 7);
closeSync(descriptor);

let sha1;
const expected = async () => {
  if (sha1) return sha1;
  const hash = createHash("sha1");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return (sha1 = hash.digest("hex"));
};

test("from Node", async (context) => {
  copyFileSync(memories, join(consumer.folder, "memories.js"));
  const program = consumer.write("large.mjs", `
    import "./memories.js";
    import { openAsBlob } from "node:fs";
    const { Client } = await import("filepress");
    const [, , baseUrl, path] = process.argv;
    const client = new Client({ baseUrl });
    const blob = await openAsBlob(path);
    const file = await client.files.create({ size: blob.size });
    gc();
    const before = { ...process.memoryUsage(), wasm: wasmBytes() };
    const most = { ...before };
    const watch = setInterval(() => {
      // What is held counts, not what a collector has left lying there so far.
      gc();
      const now = { ...process.memoryUsage(), wasm: wasmBytes() };
      for (const key of Object.keys(most)) most[key] = Math.max(most[key], now[key]);
    }, 500);
    await client.files.upload(file, blob);
    clearInterval(watch);
    console.log(JSON.stringify({ before, most }));`);
  const { stdout } = await run(process.execPath, ["--expose-gc", program, sink.url, path], { cwd: consumer.folder });
  const { before, most } = JSON.parse(stdout);
  assert.deepEqual(sink.received.pop(), { size: SIZE, sha1: await expected() });
  const growth = Object.fromEntries(Object.keys(most).map((key) => [key, Math.round((most[key] - before[key]) / MEGABYTE)]));
  context.diagnostic(`growth in MB: ${JSON.stringify(growth)}`);
  assert.ok(before.wasm > 0 && most.wasm === before.wasm, `WebAssembly grew from ${before.wasm} to ${most.wasm}`);
  assert.ok(most.heapUsed - before.heapUsed < HEAP, `${growth.heapUsed} MB of heap`);
  assert.ok(most.rss - before.rss < SIZE / 5, `${growth.rss} MB of memory`);
});

test("from a page", async (context) => {
  const browser = await launchChromium();
  const policy = STRICT.replace("connect-src 'self'", "connect-src 'self' http://127.0.0.1:*");
  const { page, complaints, close } = await createBrowserProject(consumer, browser).open(policy);
  context.after(() => close().then(() => browser.close()));
  // Once more, with the memories kept: the script has to run before those of the page.
  await page.addInitScript(readFileSync(memories, "utf8"));
  await page.reload();
  await page.waitForFunction(() => window.compressFile !== undefined);
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file" })));
  await page.setInputFiles("input", path);
  await page.evaluate((baseUrl) => asPage(async () => {
    window.client = new filepress.Client({ baseUrl });
    window.chosen = document.querySelector("input").files[0];
    window.declared = await client.files.create({ size: chosen.size });
  }), sink.url);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const heap = async () => {
    // What is held counts, not what a collector has left lying there so far.
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "JSHeapUsedSize").value;
  };
  const before = { heap: await heap(), wasm: await page.evaluate(() => wasmBytes()) };
  const upload = page.evaluate(() => asPage(async () => {
    const told = [];
    let most = 0;
    await client.files.upload(declared, chosen, {
      onProgress: ({ loaded }) => {
        most = Math.max(most, wasmBytes());
        told.push(loaded);
      },
    });
    return { told, most };
  }));
  let most = before.heap;
  let over = false;
  const watch = (async () => {
    while (!over) {
      most = Math.max(most, await heap());
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  const { told, most: wasm } = await upload;
  over = true;
  await watch;
  assert.deepEqual(sink.received.pop(), { size: SIZE, sha1: await expected() });
  context.diagnostic(`growth of the heap: ${Math.round((most - before.heap) / MEGABYTE)} MB; told ${told.length} times`);
  assert.ok(before.wasm > 0 && wasm === before.wasm, `WebAssembly grew from ${before.wasm} to ${wasm}`);
  assert.ok(most - before.heap < HEAP, `${most - before.heap} bytes of heap`);
  assert.ok(told.length > 5 && told.at(-1) === SIZE, `told ${told.length} times, last ${told.at(-1)}`);
  assert.ok(told.every((loaded, index) => loaded >= (told[index - 1] ?? 0)));
  assert.deepEqual(complaints, []);
});
