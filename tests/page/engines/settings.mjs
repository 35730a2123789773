// Settings are shared by the address and come back with a new visit, files are sorted and filtered, the sample picture stays on the device, and the page works offline.
import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";
import { photoFile } from "../support/visitor.mjs";

const photos = await Promise.all([1, 3].map((seed) => photoFile(`photo ${seed}.jpg`, { seed })));
const broken = { name: "broken.jpg", buffer: photos[0].buffer.subarray(0, 900) };

/** @param visitor an EngineVisitor. */
export const testSettings = (visitor) =>
  describe("settings", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);

    test("presets are in the address, are taken back, and come from it", async () => {
      await evaluate(() => {
        document.getElementById("clear").click();
        document.querySelector('[data-preset="avatar"]').click();
      });
      const hash = await until(() => evaluate(() => location.hash.length > 1 && location.hash));
      const pressed = () => evaluate(() => document.querySelector('[data-preset="avatar"]').getAttribute("aria-pressed") === "true");
      assert.equal(await pressed(), true);
      await evaluate(() => document.getElementById("preset-reset").click());
      assert.equal(await pressed(), false);
      // The address follows a little later.
      await until(() => evaluate((hash) => location.hash !== hash, hash));
      await evaluate((hash) => void (location.hash = hash), hash);
      await until(pressed);
    });

    test("settings come back with a new visit", async () => {
      await visitor.pick("longest", "450");
      await until(() => evaluate(() => location.hash.includes("longest=450")));
      await visitor.visit();
      await until(() => evaluate(() => document.getElementById("longest").value === "450"));
    });

    test("many files are sorted and filtered; the failed are removed, and come back", async () => {
      await visitor.addAlone(broken);
      await visitor.add(photos[1], photos[0]);
      await visitor.settled(3);
      const isShown = () => [...document.querySelectorAll(".card")].filter((card) => card.checkVisibility()).map((card) => card.querySelector(".card-name").title);
      const names = () => evaluate(isShown);
      await visitor.pick("sort", "name");
      assert.deepEqual(await names(), ["broken.jpg", "photo 1.jpg", "photo 3.jpg"]);
      await visitor.pick("filter", "failed");
      assert.deepEqual(await names(), ["broken.jpg"]);
      await visitor.pick("filter", "");
      await evaluate(() => document.getElementById("remove-failed").click());
      assert.deepEqual(await names(), ["photo 1.jpg", "photo 3.jpg"]);
      await evaluate(() => document.getElementById("undo-do").click());
      assert.deepEqual(await names(), ["broken.jpg", "photo 1.jpg", "photo 3.jpg"]);
      await visitor.pick("sort", "");
    });

    test("the sample picture is compressed, and nothing was uploaded", async () => {
      await evaluate(() => {
        for (const id of ["clear", "preset-reset", "sample"]) document.getElementById(id).click();
      });
      await visitor.finished("");
      await evaluate(() => document.getElementById("pledge").click());
      assert.equal(await evaluate(() => document.getElementById("privacy-bytes").textContent), "0 bytes uploaded");
      await evaluate(() => document.getElementById("privacy-close").click());
    });

    test("the page's files are kept for offline use", async () => {
      const readKept = async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return registration?.active ? (await caches.keys()).length : 0;
      };
      assert.ok((await until(() => evaluate(readKept))) >= 1);
    });
  });
