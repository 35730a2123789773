// The demo page offline: after one visit it works with all codecs, and a new version takes over when the visitor
// agrees.
import { strict as assert } from "node:assert";
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { serve } from "../../scripts/serve.mjs";
import { until } from "../package/support/until.mjs";
import { siteFolder } from "../../scripts/site.mjs";
import { publish } from "./support/published.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const folder = await mkdtemp(join(tmpdir(), "filepress-site-"));
await cp(siteFolder, folder, { recursive: true });
const site = await serve({ folder });
const visitor = await visit({ offline: true, origin: site });
const { page, context, complaints, card, state, settled, download, add, compare, closeComparison } = visitor;
after(async () => {
  await visitor.close();
  await site.close();
  await rm(folder, { recursive: true });
});
const ready = (words) => page.waitForFunction((words) => document.getElementById("offline").textContent.includes(words), words);

test("one visit is enough: the codecs come while the page is idle, and it says when they are there", async () => {
  await ready("Ready to work offline");
  assert.ok(site.sent.get("filepress/wasm/full/filepress_bg.wasm") > 1_000_000);
  assert.equal(await page.locator(".card").count(), 0);
});

test("it can be installed", async () => {
  const debug = await context.newCDPSession(page);
  const { installabilityErrors: errors } = await debug.send("Page.getInstallabilityErrors");
  // Nothing is installed from a test's own context, which is as a private window.
  assert.deepEqual(
    errors.filter(({ errorId }) => errorId !== "in-incognito"),
    [],
  );
  const { data } = await debug.send("Page.getAppManifest");
  const { icons } = JSON.parse(data);
  for (const { src, sizes } of icons.filter(({ sizes }) => sizes !== "any")) {
    const { width, height } = await sharp(await readFile(join(folder, src))).metadata();
    assert.equal(`${width}x${height}`, sizes);
  }
});

test("without a network it opens, and makes pictures of every type", async () => {
  await context.setOffline(true);
  await page.reload();
  assert.ok(await page.locator(".brand img").evaluate(({ naturalWidth }) => naturalWidth > 0));
  await add([await photoFile("first.jpg")]);
  await state("first.jpg", "done");
  const { bytes: smaller } = await download(card("first.jpg").locator(".save"));
  assert.equal((await decoded(smaller)).format, "jpeg");
  await page.selectOption("#image-to", "image/avif");
  await add([await photoFile("second.jpg")]);
  await state("second.jpg", "done");
  const { bytes } = await download(card("second.jpg").locator(".save"));
  assert.equal((await decoded(bytes)).format, "avif");
  await settled();
  const zip = await download(page.locator("#zip"));
  assert.ok(zip.bytes.length > bytes.length);
  await compare("second.jpg");
  await page.waitForFunction(() => /^\d/.test(document.querySelector("#facts-after div:last-child dd")?.textContent ?? ""));
  await closeComparison();
  assert.deepEqual(complaints, []);
  await context.setOffline(false);
});

test("where data are to be saved, only what a file needs is fetched, and kept", async (t) => {
  const own = await serve({ folder });
  const sparing = await visit({ offline: true, origin: own, saveData: true });
  t.after(() => sparing.close().then(own.close));
  await sparing.page.locator("#offline", { hasText: "Works offline with the formats used so far." }).waitFor();
  const fetched = () => [...own.sent.keys()].filter((path) => path.endsWith(".wasm"));
  assert.deepEqual(fetched(), []);
  await sparing.page.reload();
  await sparing.add([await photoFile("first.jpg")]);
  await sparing.state("first.jpg", "done");
  assert.ok(fetched().length > 0 && !fetched().some((path) => path.includes("/full/")), fetched().join());
  await sparing.context.setOffline(true);
  await sparing.page.reload();
  await sparing.add([await photoFile("second.jpg")]);
  await sparing.state("second.jpg", "done");
});

test("what broke off is said, and goes on with the next network", async (t) => {
  const own = await serve({ folder });
  const codecs = join(folder, "filepress", "wasm", "full", "filepress_bg.wasm");
  await rename(codecs, `${codecs}.gone`);
  const cut = await visit({ offline: true, origin: own });
  t.after(() => cut.close().then(own.close));
  const says = (words) => cut.page.waitForFunction((words) => document.getElementById("offline").textContent === words, words);
  await says("Not ready to work offline yet.");
  await rename(`${codecs}.gone`, codecs);
  await cut.page.evaluate(() => dispatchEvent(new Event("online")));
  await says("Ready to work offline.");
});

test("a new version waits until the visitor takes it, and then nothing of the old one stays", async () => {
  const old = await page.evaluate(() => caches.keys());
  const list = await publish(folder, "next");
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await Promise.all([page.waitForEvent("load"), page.locator("#renew").click()]);
  await ready("Ready to work offline");
  const now = await page.evaluate(() => caches.keys());
  assert.deepEqual([old.length, now.length], [1, 1]);
  assert.match(now[0], / next$/);
  // Who could work without a network still can.
  const codecs = await page.evaluate(async () =>
    (await (await caches.open((await caches.keys())[0])).keys()).filter(({ url }) => url.endsWith(".wasm")).length,
  );
  assert.equal(codecs, list.match(/\.wasm"/g).length);
});

test("where data are to be saved, a new version fetches what the old one had, and an app fetches all", async (t) => {
  const own = await serve({ folder });
  const sparing = await visit({ offline: true, origin: own, saveData: true });
  t.after(() => sparing.close().then(own.close));
  const { page } = sparing;
  await page.locator("#offline", { hasText: "Works offline with" }).waitFor();
  await page.reload();
  await sparing.add([await photoFile("first.jpg")]);
  await sparing.state("first.jpg", "done");
  const codecs = (of) =>
    page.evaluate(async (of) => {
      const name = (await caches.keys()).find((name) => name.endsWith(of));
      return (await (await caches.open(name)).keys()).map(({ url }) => url).filter((url) => url.endsWith(".wasm")).sort();
    }, of);
  const before = await codecs(" next");
  assert.ok(before.length > 0);
  const list = await readFile(join(folder, "files.js"), "utf8");
  await writeFile(join(folder, "files.js"), list.replace('"version": "next"', '"version": "third"'));
  t.after(() => writeFile(join(folder, "files.js"), list));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await page.locator("#renew").waitFor();
  assert.deepEqual(await codecs(" third"), before);
  await page.addInitScript(() => (globalThis.matchMedia = () => ({ matches: true, addEventListener() {} })));
  await page.reload();
  await page.locator("#offline", { hasText: "Ready to work offline" }).waitFor();
});

test("the ids of pages that were closed are not kept", async () => {
  const users = () =>
    page.evaluate(async () => {
      const kept = await (await caches.open((await caches.keys())[0])).keys();
      return kept.map(({ url }) => url.split("/users/")[1]).filter(Boolean);
    });
  await page.evaluate(async () => (await caches.open((await caches.keys())[0])).put("./users/closed-long-ago", new Response("1")));
  assert.ok((await users()).includes("closed-long-ago"));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active.postMessage("tell"));
  await until(async () => !(await users()).includes("closed-long-ago"));
  // Those that are open stay.
  assert.ok((await users()).length >= 1);
});

test("a file that is not the one of this version is not kept", async () => {
  await page.evaluate(async () => (await caches.open((await caches.keys())[0])).delete(new URL("zip.js", location.href)));
  await writeFile(join(folder, "zip.js"), "// of another version");
  const outcome = await page.evaluate(() =>
    fetch("./zip.js").then(
      () => "taken",
      () => "refused",
    ),
  );
  assert.equal(outcome, "refused");
});

test("nothing is kept that is not of the page", async () => {
  const kept = await page.evaluate(async () =>
    (await (await caches.open((await caches.keys())[0])).keys()).map(({ url }) => url),
  );
  assert.ok(kept.length > 20);
  assert.deepEqual(
    kept.filter((url) => !url.startsWith(site.url)),
    [],
  );
  assert.deepEqual(
    complaints.filter((words) => !/integrity|Failed to load resource|Failed to fetch|zip\.js/i.test(words)),
    [],
  );
});
