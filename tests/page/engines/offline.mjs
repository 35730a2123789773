// One visit is enough to work without a network, and a new version takes over when the visitor takes it.
import { strict as assert } from "node:assert";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { siteFolder } from "../../../scripts/site.mjs";
import { until } from "../../package/support/until.mjs";
import { publish } from "../support/published.mjs";
import { decoded, photoFile } from "../support/visitor.mjs";

const photo = await photoFile("photo.jpg");

/** @param visitor an EngineVisitor. */
export const testOffline = (visitor) =>
  describe("offline", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const isReady = async () => (await visitor.text("#offline")) === "Ready to work offline.";
    /** A site of its own, of which nothing is kept yet, and which ends and changes. */
    let [folder, site] = [];
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "filepress-site-"));
      await cp(siteFolder, folder, { recursive: true });
      site = await serve({ folder });
    });
    after(async () => {
      await visitor.begin();
      await site.close();
      await rm(folder, { recursive: true });
    });

    test("after one visit the page says that it is ready", async () => {
      await visitor.visit(site.url);
      await until(isReady);
      assert.ok(site.sent.get("filepress/wasm/full/filepress_bg.wasm") > 1_000_000);
    });

    test("without its server the page opens, and makes and compares pictures of formats that were never used", async () => {
      await site.close();
      await visitor.visit(site.url);
      assert.ok(await evaluate(() => document.querySelector(".brand img").naturalWidth > 0));
      await visitor.pick("image-to", "image/avif");
      await visitor.add(photo);
      await until(async () => (await visitor.cards())[0]?.save === "photo.avif");
      await visitor.settled();
      assert.deepEqual(await decoded(await visitor.result()), { format: "avif", width: 360, height: 240, pages: 1 });
      await visitor.compare();
      await until(() => evaluate(() => /^\d/.test(document.querySelector("#facts-after div:last-child dd")?.textContent ?? "")));
      await visitor.closeComparison();
      await evaluate(() => document.getElementById("clear").click());
    });

    test("a new version waits until the visitor takes it, and then nothing of the old one stays", async () => {
      site = await serve({ folder, port: Number(new URL(site.url).port) });
      await visitor.visit(site.url);
      const versions = () => evaluate(() => caches.keys());
      assert.equal((await versions()).length, 1);
      await publish(folder, "next");
      const isOffered = () => evaluate(() => document.getElementById("renew").checkVisibility());
      assert.equal(await isOffered(), false);
      await evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
      await until(isOffered);
      await evaluate(() => (globalThis.isOld = true));
      await visitor.page.click("#renew");
      // Nothing can be asked of a page that is being left.
      await until(() => evaluate(() => globalThis.isOld !== true && document.readyState === "complete").catch(() => false));
      // A browser may count a page as open a little after it was left: what that used goes with a later visit.
      await until(async () => {
        await until(isReady);
        return (await versions()).length === 1 || (await visitor.visit(site.url), false);
      });
      assert.match((await versions())[0], / next$/);
    });
  });
