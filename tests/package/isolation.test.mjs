// Pages with stricter rules than most: Trusted Types, and isolation from other origins (COEP).
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createBrowserProject } from "./support/browser-project.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";
import { openSite, STRICT } from "./support/site.mjs";

const consumer = createConsumer();
const photo = await sample("baseline.jpg");
const browser = await launchChromium();
after(() => browser.close());
const project = createBrowserProject(consumer, browser, new Map([["/small.jpg", photo]]));

/** What the page makes of the photo, after `init` with `settings`: its type and its warnings. */
const compressFile = (page, settings) =>
  page.evaluate(
    (settings) =>
      asPage(async () => {
        if (settings) await filepress.init(settings);
        const { type, warnings } = await filepress.compress(await file("/small.jpg"), { to: "webp" });
        return [type, ...warnings.map(({ code, message }) => `${code}: ${message}`)];
      }),
    settings,
  );

const TRUSTED = `${STRICT}; require-trusted-types-for 'script'`;

test("Trusted Types: workers start from the folder that init names, by the policy filepress", async (context) => {
  const { page, complaints, close } = await project.open(`${TRUSTED}; trusted-types filepress`);
  context.after(close);
  assert.deepEqual(await compressFile(page, { workers: "/node_modules/filepress/" }), ["image/webp"]);
  assert.ok(page.workers().length >= 1);
  assert.deepEqual(complaints, []);
});

test("Trusted Types: without that folder the calling thread does the work, and a warning names it", async (context) => {
  const { page, close } = await project.open(`${TRUSTED}; trusted-types filepress`);
  context.after(close);
  const [type, warning] = await compressFile(page);
  assert.equal(type, "image/webp");
  assert.match(warning, /^worker_unavailable: .*init\(\{ workers \}\)/);
  assert.equal(page.workers().length, 0);
});

test("Trusted Types: where the policy filepress is not allowed, the calling thread does the work", async (context) => {
  const { page, close } = await project.open(`${TRUSTED}; trusted-types 'none'`);
  context.after(close);
  const [type, warning] = await compressFile(page, { workers: "/node_modules/filepress/" });
  assert.equal(type, "image/webp");
  assert.match(warning, /^worker_unavailable: /);
});

test("a page that is isolated from other origins has workers", async (context) => {
  const isolation = { "cross-origin-embedder-policy": "require-corp", "cross-origin-opener-policy": "same-origin" };
  await project.open().then(({ close }) => close());
  const site = await openSite(consumer.folder, { made: new Map([["/small.jpg", photo]]), headers: isolation });
  const page = await browser.newPage();
  context.after(() => page.close().then(site.close));
  await page.goto(`${site.url}/page.html`);
  await page.waitForFunction(() => window.compressFile !== undefined);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  assert.deepEqual(await compressFile(page), ["image/webp"]);
  assert.ok(page.workers().length >= 1);
});
