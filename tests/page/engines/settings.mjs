// Settings are shared by the address and come back with a new visit, the sample picture stays on the device, and the page is kept for offline use.
import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";

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
