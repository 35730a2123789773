// `make bench-first-call`: the time of a visitor's first call over a slow line (1.6 Mbit/s, 150 ms) in Chromium with
// an empty cache: importing the entry and compressing a 2-megapixel JPEG. Folders of other packages can be given for
// comparison: node benches/first-call.mjs dist/package ../before/dist/package
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { launchChromium } from "../tests/package/support/chromium.mjs";
import { draw } from "./generated-pictures.mjs";

const BYTES_PER_MS = 1_600_000 / 8 / 1000;
const LATENCY_MS = 150;
const VISITS = 5;
const MEDIA_TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

const folders = process.argv.slice(2);
if (folders.length === 0) folders.push("dist/package");
const [WIDTH, HEIGHT] = [1632, 1224];
const raw = { width: WIDTH, height: HEIGHT, channels: 4 };
const photo = await sharp(draw("landscape", WIDTH, HEIGHT), { raw }).removeAlpha().jpeg({ quality: 92 }).toBuffer();
const browser = await launchChromium();
const times = new Map(folders.map((folder) => [folder, []]));
const rows = [];
// Visits take turns, so that a busy minute slows all folders alike.
for (let count = 0; count < VISITS; count++) for (const folder of folders) times.get(folder).push(await visit(folder));
await browser.close();
for (const [folder, visits] of times) {
  const sorted = visits.toSorted((one, other) => one.ms - other.ms);
  const { ms, requests, bytes } = sorted[Math.floor(VISITS / 2)];
  rows.push({ folder, "median ms": Math.round(ms), fastest: Math.round(sorted[0].ms), requests, "kB sent": Math.round(bytes / 1000) });
}
for (const row of rows) row["of the last"] = Number((row["median ms"] / rows.at(-1)["median ms"]).toFixed(2));
console.table(rows);

/** One visit with an empty cache: milliseconds from the import to the result, requests and bytes. */
async function visit(folder) {
  const line = await slowLine(folder);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(line.url);
    const ms = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const begun = performance.now();
      const { compress } = await import("/index.browser.js");
      await compress(new Blob([bytes], { type: "image/jpeg" }));
      return performance.now() - begun;
    }, photo.toString("base64"));
    if (process.env.WATERFALL) console.log(line.log.join("\n"));
    return { ms, requests: line.log.length - 1, bytes: line.sent() };
  } finally {
    await context.close();
    line.close();
  }
}

/** A server of `folder` behind one line: each answer begins after the latency, and all of them share the rate. */
async function slowLine(folder) {
  const root = resolve(folder);
  const begun = performance.now();
  const log = [];
  const packed = new Map();
  let sent = 0;
  let free = 0;
  const server = createServer(async (request, response) => {
    const asked = performance.now();
    const path = normalize(new URL(request.url, "http://line").pathname);
    const body = path === "/" ? Buffer.from("<!doctype html><title>first call</title>") : await readFile(join(root, path)).catch(() => undefined);
    if (!body) return response.writeHead(404).end();
    if (!packed.has(path)) packed.set(path, gzipSync(body));
    const content = packed.get(path);
    response.writeHead(200, { "content-type": MEDIA_TYPES[extname(path) || ".html"], "content-encoding": "gzip", "cache-control": "max-age=600" });
    await sleep(LATENCY_MS);
    const CHUNK = 4096;
    for (let at = 0; at < content.length; at += CHUNK) {
      const chunk = content.subarray(at, at + CHUNK);
      free = Math.max(free, performance.now()) + chunk.length / BYTES_PER_MS;
      await sleep(free - performance.now());
      response.write(chunk);
    }
    response.end();
    sent += content.length;
    log.push(`${Math.round(asked - begun)} to ${Math.round(performance.now() - begun)} ms  ${content.length}  ${path}`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => (server.closeAllConnections(), server.close());
  return { url: `http://127.0.0.1:${server.address().port}/`, log, sent: () => sent, close };
}
