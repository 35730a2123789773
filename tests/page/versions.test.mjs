// Two tabs and a new version: the tab that did not ask for it keeps all of its own version, its workers too, until it is reloaded.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { siteFolder } from "../../scripts/site.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const folder = await mkdtemp(join(tmpdir(), "filepress-versions-"));
await cp(siteFolder, folder, { recursive: true });
const site = await serve({ folder });
const visitor = await visit({ origin: site, offline: true });
const { page, context, card, add, settled, state, download, compare, closeComparison } = visitor;
after(async () => {
  await visitor.close();
  await site.close();
  await rm(folder, { recursive: true });
});
const ready = (tab) => tab.locator("#offline", { hasText: /^Ready to work offline/ }).waitFor();
const versions = (tab) => tab.evaluate(async () => (await caches.keys()).length);

/** Publishes a version whose main script says so, and whose other scripts do not run. */
async function publish() {
  let list = await readFile(join(folder, "files.js"), "utf8");
  const workers = (await readdir(join(folder, "filepress"))).filter((name) => name.startsWith("worker-")).map((name) => `filepress/${name}`);
  for (const name of ["main.js", "compare/comparison.js", ...workers]) {
    const words = await readFile(join(folder, name), "utf8");
    const next = name === "main.js" ? `${words}\nglobalThis.version = "next";` : `throw new Error("the next version");\n${words}`;
    await writeFile(join(folder, name), next);
    const digest = createHash("sha256").update(next).digest("base64");
    list = list.replace(new RegExp(`("${name.replaceAll(".", "\\.")}",\\s+")[^"]+`), `$1sha256-${digest}`);
  }
  await writeFile(join(folder, "files.js"), list.replace(/"version": "\w+"/, '"version": "next"'));
}

before(async () => {
  await ready(page);
});

test("a tab gets the new version, and the other one goes on with the old", async () => {
  const other = await context.newPage();
  await other.goto(site.url);
  await ready(other);
  await publish();
  await other.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await Promise.all([other.waitForEvent("load"), other.locator("#renew").click()]);
  await ready(other);
  assert.equal(await other.evaluate(() => globalThis.version), "next");
  await add([await photoFile("photo.jpg")]);
  await settled();
  await state("photo.jpg", "done");
  await page.selectOption("#image-to", "image/avif");
  await page.waitForFunction(() => document.querySelector(".save").download === "photo.avif");
  await compare("photo.jpg");
  await page.locator("#layer-after img").waitFor();
  await closeComparison();
  assert.equal(await page.evaluate(() => globalThis.version), undefined);
  assert.equal(await versions(page), 2);
  await other.close();
});

test("a reload brings it the new version as well, and nothing of the old one stays", async () => {
  // Without a question before the page is left.
  await download(card("photo.jpg").locator(".save"));
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => globalThis.version), "next");
  assert.equal(await versions(page), 1);
});
