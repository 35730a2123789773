// `node benches/large.mjs [MEGAPIXELS]`: the cost of a large photo (default 50 megapixels) in a Chromium page. Prints
// for each call, in a fresh browser: the WebAssembly memory of its worker, the peak resident memory of all browser
// processes above their initial memory, and the time.
import { createBrowserProject } from "../tests/package/support/browser-project.mjs";
import { launchChromium } from "../tests/package/support/chromium.mjs";
import { createConsumer } from "../tests/package/support/consumer.mjs";
import { residentMemory } from "../tests/package/support/memory.mjs";
import { photo } from "../tests/package/support/pictures.mjs";
import { toSharp } from "../tests/package/support/samples.mjs";
import { countWorkers } from "../tests/package/support/workers.mjs";

const MB = 1e6;
const megapixels = Number(process.argv[2] ?? 50);
const [width, height] = [3, 2].map((side) => Math.round(side * Math.sqrt((megapixels * MB) / 6)));
const large = (settings) =>
  toSharp(photo(900, 600)).removeAlpha().resize(width, height, { fit: "fill" }).jpeg({ quality: 85, ...settings }).toBuffer();
const made = new Map([["/baseline.jpg", await large()], ["/progressive.jpg", await large({ progressive: true })]]);
const consumer = createConsumer();

const calls = [
  ["baseline.jpg", { to: "jpeg", resize: { maxWidth: 1600 } }],
  ["baseline.jpg", { to: "webp", resize: { maxWidth: 1600 } }],
  ["progressive.jpg", { to: "jpeg", resize: { maxWidth: 1600 } }],
  ["progressive.jpg", { to: "webp", resize: { maxWidth: 1600 } }],
  ["baseline.jpg", { to: "jpeg", resize: { maxWidth: 1920 } }],
  ["progressive.jpg", { to: "jpeg", resize: { maxWidth: 1920 } }],
  ["baseline.jpg", { to: "jpeg" }],
  ["progressive.jpg", { to: "jpeg" }],
  ["baseline.jpg", { to: "jpeg", quality: 90 }],
  ["baseline.jpg", { to: "webp" }],
  ["baseline.jpg", { to: "png" }],
  ["baseline.jpg", { to: "webp", lossless: true }],
];
console.log(`${width} × ${height} pixels`);
for (const [name, options] of calls) console.log(await measure(name, options));

async function measure(name, options) {
  const browser = await launchChromium();
  const project = createBrowserProject(consumer, browser, made);
  const { page, close } = await project.open(undefined, undefined, (page) => page.addInitScript(countWorkers));
  const before = residentMemory("chromium");
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentMemory("chromium"))), 50);
  const start = performance.now();
  const { message, size, blobSize } = await page.evaluate(([path, options]) => compressFile(path, options), [`/${name}`, options]);
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  const { mostHeld } = await page.evaluate(() => count);
  await close();
  await browser.close();
  const result = message ?? `${size.join(" × ")}, ${inMegabytes(blobSize)} MB`;
  const memory = `${inMegabytes(mostHeld)} MB of WebAssembly, ${inMegabytes(most - before)} MB of the browser`;
  return `${name} ${JSON.stringify(options)}: ${memory}, ${seconds.toFixed(1)} s; ${result}`;
}

function inMegabytes(bytes) {
  return Math.round((bytes / MB) * 10) / 10;
}
