// `make bench-page`: the cost of the demo page. Gzipped bytes that the server sent before a file is dropped, in two parts: what is needed
// before the page can be used (measured as a visitor who saves data, and so gets nothing else), and what is fetched in the background for
// offline use. On a processor slowed four times, medians of five first visits: the largest contentful paint; over a slow connection as
// well, until the page answers to a visitor, and from choosing a JPEG of 10 megapixels until its result is there (the processor of workers
// is not slowed). Exits with 1 if a figure exceeds its budget.
import { serve } from "../scripts/serve.mjs";
import { grouped } from "../scripts/table.mjs";
import { landscape } from "../scripts/screenshots/landscapes.mjs";
import { launchChromium } from "../tests/package/support/chromium.mjs";

const BUDGETS = { bytes: 60_000, paint: 1500, usable: 1500, photo: 4500 };
const VISITS = 5;
/** Slow 4G: milliseconds of a round trip, and bytes a second. */
const SLOW = { latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8, offline: false };

const browser = await launchChromium();
const first = await visit({ saveData: true });
const visits = await times(() => visit());
const photo = { name: "photo.jpg", mimeType: "image/jpeg", buffer: await landscape("dusk", { width: 3872, height: 2592, shift: 1 }) };
const slow = await times(() => visitSlowly(photo));
await browser.close();

const sum = (sent) => [...sent.values()].reduce((total, size) => total + size, 0);
const bytes = sum(first.sent);
console.log("before the page can be used:");
list(first.sent);
console.log("\nin the background, once it is idle:");
list(new Map([...visits[0].sent].filter(([path]) => !first.sent.has(path))));
console.log(`\nfirst load, gzip, before the page can be used: ${grouped(bytes)} bytes (budget ${grouped(BUDGETS.bytes)})`);
console.log(`in the background, gzip, once it is idle: ${grouped(Math.max(...visits.map(({ sent }) => sum(sent))) - bytes)} bytes`);
const kept = [
  bytes <= BUDGETS.bytes,
  report("largest contentful paint, CPU slowed 4×", BUDGETS.paint, visits.map(({ paint }) => paint)),
  report("usable, slow 4G and CPU slowed 4×", BUDGETS.usable, slow.map(({ usable }) => usable)),
  report("JPEG of 10 megapixels from choosing to its result, as the first, slow 4G and CPU slowed 4×", BUDGETS.photo, slow.map(({ photo }) => photo)),
];
process.exitCode = kept.every(Boolean) ? 0 : 1;

async function times(work) {
  const all = [];
  for (let count = 0; count < VISITS; count++) all.push(await work());
  return all;
}

function list(sent) {
  for (const [path, size] of [...sent].sort((one, other) => other[1] - one[1])) console.log(`${grouped(size).padStart(10)}  ${path}`);
}

/** Prints the median of milliseconds; returns whether it is within the budget. */
function report(what, budget, found) {
  const sorted = found.map(Math.round).sort((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  console.log(`${what}: ${grouped(median)} ms (budget ${grouped(budget)}; ${sorted.join(", ")})`);
  return median <= budget;
}

/** One first visit, with nothing kept of those before, until the page has said how far it is with working without a network. */
async function visit({ saveData = false } = {}) {
  const { site, page, close } = await open();
  await page.addInitScript((saveData) => {
    Object.defineProperty(navigator.connection, "saveData", { value: saveData });
    new PerformanceObserver((list) => (globalThis.paint = list.getEntries().at(-1).startTime)).observe({
      type: "largest-contentful-paint",
      buffered: true,
    });
  }, saveData);
  await page.goto(site.url);
  const words = saveData ? "Works offline with the formats used so far." : "Ready to work offline.";
  await page.waitForFunction((words) => document.getElementById("offline").textContent === words, words);
  await page.waitForLoadState("networkidle");
  const paint = await page.evaluate(() => globalThis.paint);
  await close();
  return { paint, sent: site.sent };
}

/** One first visit over a slow connection, in which a file is chosen as soon as that has an effect. */
async function visitSlowly(file) {
  const { site, page, debug, close } = await open();
  await debug.send("Network.enable");
  await debug.send("Network.emulateNetworkConditions", SLOW);
  await page.addInitScript(() => {
    const { addEventListener } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (type, ...rest) {
      // The last one of main.js.
      if (this.id === "drop" && type === "focusin") globalThis.usable = performance.now();
      if (this.id === "file" && type === "change") addEventListener.call(this, type, () => (globalThis.chosen = performance.now()));
      return addEventListener.call(this, type, ...rest);
    };
  });
  await page.goto(site.url, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.usable);
  await page.evaluate(() => {
    const done = () => document.querySelector('.card[data-state="done"]') && (globalThis.done ??= performance.now());
    new MutationObserver(done).observe(document.getElementById("cards"), { subtree: true, attributes: true, childList: true });
  });
  await page.setInputFiles("#file", [file]);
  await page.waitForFunction(() => globalThis.done);
  const times = await page.evaluate(() => ({ usable, photo: done - chosen }));
  await close();
  return times;
}

/** A page that was never visited, on a slow processor. */
async function open() {
  const site = await serve();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const debug = await context.newCDPSession(page);
  await debug.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const close = async () => {
    await context.close();
    await site.close();
  };
  return { site, page, debug, close };
}
