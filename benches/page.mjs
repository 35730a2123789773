// `make bench-page`: what the demo page costs before a file is dropped. The bytes that the server sent, gzipped, until the page
// and its service worker have come to rest; and the largest contentful paint on a processor slowed four times, the median of five
// first visits. Ends with 1 where either is over its budget.
import { serve } from "../scripts/serve.mjs";
import { grouped } from "../scripts/table.mjs";
import { launchChromium } from "../tests/package/support/chromium.mjs";

const BYTES = 120_000;
const MILLISECONDS = 1500;
const VISITS = 5;

const browser = await launchChromium();
const visits = [];
for (let count = 0; count < VISITS; count++) visits.push(await visit());
await browser.close();

const [first] = visits;
for (const [path, bytes] of [...first.sent].sort((one, other) => other[1] - one[1]))
  console.log(`${grouped(bytes).padStart(10)}  ${path}`);
const bytes = Math.max(...visits.map(({ sent }) => [...sent.values()].reduce((sum, size) => sum + size, 0)));
const paints = visits.map(({ paint }) => paint).sort((one, other) => one - other);
const paint = paints[Math.floor(VISITS / 2)];
console.log(`\nfirst load, gzip, before a file is dropped: ${grouped(bytes)} bytes (budget ${grouped(BYTES)})`);
console.log(
  `largest contentful paint, CPU slowed 4×: ${Math.round(paint)} ms ` +
    `(budget ${grouped(MILLISECONDS)}; ${paints.map(Math.round).join(", ")})`,
);
process.exitCode = bytes > BYTES || paint > MILLISECONDS ? 1 : 0;

/** One first visit, with nothing kept of those before. */
async function visit() {
  const site = await serve();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  await debug.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => (globalThis.paint = list.getEntries().at(-1).startTime)).observe({
      type: "largest-contentful-paint",
      buffered: true,
    });
  });
  await page.goto(site.url);
  await page.waitForFunction(() => document.getElementById("offline").textContent !== "");
  await page.waitForLoadState("networkidle");
  const paint = await page.evaluate(() => globalThis.paint);
  await context.close();
  await site.close();
  return { paint, sent: site.sent };
}
