// `make bench-page`: the cost of the demo page before a file is dropped, as gzipped bytes that the server sent, in
// two parts: what is needed before the page can be used (measured as a visitor who saves data, and so gets nothing
// else), and what is fetched in the background for offline use. Also the largest contentful paint on a processor
// slowed four times, the median of five first visits. Exits with 1 if the first part or the paint exceeds its budget.
import { serve } from "../scripts/serve.mjs";
import { grouped } from "../scripts/table.mjs";
import { launchChromium } from "../tests/package/support/chromium.mjs";

const BYTES = 120_000;
const MILLISECONDS = 1500;
const VISITS = 5;

const browser = await launchChromium();
const first = await visit({ saveData: true });
const visits = [];
for (let count = 0; count < VISITS; count++) visits.push(await visit());
await browser.close();

const sum = (sent) => [...sent.values()].reduce((total, size) => total + size, 0);
const list = (sent) => {
  for (const [path, size] of [...sent].sort((one, other) => other[1] - one[1]))
    console.log(`${grouped(size).padStart(10)}  ${path}`);
};
const bytes = sum(first.sent);
const background = Math.max(...visits.map(({ sent }) => sum(sent))) - bytes;
console.log("before the page can be used:");
list(first.sent);
console.log("\nin the background, once it is idle:");
list(new Map([...visits[0].sent].filter(([path]) => !first.sent.has(path))));
const paints = visits.map(({ paint }) => paint).sort((one, other) => one - other);
const paint = paints[Math.floor(VISITS / 2)];
console.log(`\nfirst load, gzip, before the page can be used: ${grouped(bytes)} bytes (budget ${grouped(BYTES)})`);
console.log(`in the background, gzip, once it is idle: ${grouped(background)} bytes`);
console.log(
  `largest contentful paint, CPU slowed 4×: ${Math.round(paint)} ms ` +
    `(budget ${grouped(MILLISECONDS)}; ${paints.map(Math.round).join(", ")})`,
);
process.exitCode = bytes > BYTES || paint > MILLISECONDS ? 1 : 0;

/** One first visit, with nothing kept of those before, until the page has said how far it is with working without a network. */
async function visit({ saveData = false } = {}) {
  const site = await serve();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  await debug.send("Emulation.setCPUThrottlingRate", { rate: 4 });
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
  await context.close();
  await site.close();
  return { paint, sent: site.sent };
}
