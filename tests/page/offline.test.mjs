// The demo page without a network: after the first visit it is there, codecs included, and a new version takes over when told to.
import { strict as assert } from "node:assert";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { serve } from "../../scripts/serve.mjs";
import { siteFolder } from "../../scripts/site.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const folder = await mkdtemp(join(tmpdir(), "filepress-site-"));
await cp(siteFolder, folder, { recursive: true });
const site = await serve({ folder });
const visitor = await visit({ offline: true, origin: site });
const { page, context, complaints, card, state, download, add } = visitor;
after(async () => {
  await visitor.close();
  await site.close();
  await rm(folder, { recursive: true });
});
const ready = (words) => page.waitForFunction((words) => document.getElementById("offline").textContent.includes(words), words);

test("the page is kept with the first visit, the codecs with the first picture", async () => {
  await ready("Works offline once it had a file");
  assert.deepEqual(
    [...site.sent.keys()].filter((path) => path.startsWith("filepress/")),
    [],
  );
  await add([await photoFile("first.jpg")]);
  await state("first.jpg", "done");
  await ready("Ready to work offline");
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
  await page.selectOption("#image-to", "image/avif");
  await add([await photoFile("second.jpg")]);
  await state("second.jpg", "done");
  const { bytes } = await download(card("second.jpg").locator(".save"));
  assert.equal((await decoded(bytes)).format, "avif");
  const zip = await download(page.locator("#zip"));
  assert.ok(zip.bytes.length > bytes.length);
  await context.setOffline(false);
});

test("a new version waits until the visitor takes it, and then nothing of the old one stays", async () => {
  const old = await page.evaluate(() => caches.keys());
  const words = await readFile(join(folder, "words.js"), "utf8");
  await writeFile(join(folder, "words.js"), `${words}\n`);
  const list = (await readFile(join(folder, "files.js"), "utf8")).replace(/"version": "\w+"/, '"version": "next"');
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", await readFile(join(folder, "words.js")))).toString("base64");
  await writeFile(join(folder, "files.js"), list.replace(/("words\.js",\s+")[^"]+/, `$1sha256-${digest}`));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await page.locator("#renew").click();
  await ready("offline");
  const now = await page.evaluate(() => caches.keys());
  assert.deepEqual([old.length, now.length], [1, 1]);
  assert.match(now[0], / next$/);
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
