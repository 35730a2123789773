// The comparison: what mouse and keys do there, a result that follows its settings, and the ways on from it.
import { strict as assert } from "node:assert";
import { before, describe, test } from "node:test";
import { sample } from "../../package/support/samples.mjs";
import { CATALOG } from "../../../www/text/en.js";
import { until } from "../../package/support/until.mjs";
import { decoded, photoFile } from "../support/visitor.mjs";

const wide = await photoFile("wide.jpg", { width: 480, height: 200 });
const plain = { name: "plain.tiff", buffer: Buffer.from(await sample("deflated.tiff", [320, 200])) };

/** @param visitor an EngineVisitor. */
export const testComparison = (visitor) =>
  describe("comparison", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const name = () => visitor.text("#compare-name");
    const share = async () => Number(await evaluate(() => document.getElementById("divider").getAttribute("aria-valuenow")));
    const split = () => evaluate(() => document.getElementById("overlay").style.getPropertyValue("--split"));
    const focus = (id) => evaluate((id) => document.getElementById(id).focus(), id);
    const saved = () => evaluate(() => document.getElementById("compare-save").download);
    const facts = () => visitor.text("#facts-after");
    const shown = () => evaluate(() => document.querySelector("#layer-after img")?.src);
    const isOpen = () => evaluate(() => document.getElementById("compare").open);
    const kilobytes = async () => Number.parseFloat(await visitor.text("#compare-size"));

    before(async () => {
      await visitor.begin();
      await visitor.add(wide, plain);
      await visitor.settled(2);
    });

    test("it begins at the divider, which keys move, and which is told", async () => {
      await visitor.compare();
      await visitor.press("ArrowRight");
      assert.equal(await share(), 52);
      assert.equal(await evaluate(() => document.getElementById("divider").getAttribute("aria-valuetext")), "52 % before, 48 % after");
      assert.equal(await name(), "wide.jpg");
    });

    test("a drag takes the divider along, and a click moves it there", async () => {
      await visitor.drag("#divider");
      await until(async () => (await share()) < 52);
      assert.ok((await share()) > 40);
      // Not twice at one place, which magnifies.
      for (const part of [0.25, 0.75]) {
        await visitor.clickAt("#overlay", part);
        await until(async () => (await share()) === 100 * part);
      }
    });

    test("the original is shown while the mouse is held, and the divider is back where it was", async () => {
      await visitor.clickAt("#overlay", 0.25);
      await until(async () => (await share()) === 25);
      const before = await split();
      await visitor.mouseDown("#overlay", 0.5);
      await until(async () => (await split()) === "100%");
      await visitor.mouseUp();
      await until(async () => (await split()) === before);
      assert.equal(await share(), 25);
    });

    test("keys magnify both pictures as one", async () => {
      const percent = async () => Number.parseInt(await visitor.text("#zoom-value"), 10);
      const fitted = await percent();
      await focus("overlay");
      await visitor.press("1");
      assert.equal(await percent(), 100);
      await visitor.press("+", "ArrowRight");
      assert.equal(await percent(), 150);
      const places = await evaluate(() => [...document.querySelectorAll(".layer img")].map((image) => JSON.stringify(image.getBoundingClientRect())));
      assert.equal(places[0], places[1]);
      await visitor.press("0");
      assert.equal(await percent(), fitted);
    });

    test("arrow keys turn to the next file and back, which begins in the middle, and a format that no browser shows is shown", async () => {
      await focus("compare-close");
      await visitor.press("ArrowRight");
      assert.deepEqual([await name(), await visitor.text("#file-position"), await share()], ["plain.tiff", "2 of 2", 50]);
      const read = () => [...document.querySelectorAll(".layer img")].map(({ naturalWidth, naturalHeight }) => `${naturalWidth} × ${naturalHeight}`).join();
      await until(async () => (await evaluate(read)) === "320 × 200,320 × 200");
      await visitor.press("ArrowLeft");
      assert.equal(await name(), "wide.jpg");
      await until(async () => (await evaluate(read)) === "480 × 200,480 × 200");
    });

    test("quality and format are changed there, and the last result stays until the new one is there", async () => {
      const [before, size] = [await until(shown), await kilobytes()];
      await visitor.holdResults();
      await visitor.pick("compare-quality", "20");
      await until(async () => (await visitor.text("#compare-size")) === "Working…");
      assert.equal(await shown(), before);
      await visitor.letResults();
      await until(async () => ![undefined, before].includes(await shown()));
      assert.ok((await kilobytes()) < size);
      assert.match(await facts(), /FormatJPEG.*Quality20/);
      await visitor.pick("compare-to", "image/webp");
      await until(async () => (await saved()) === "wide.webp" && (await facts()).includes("FormatWebP"));
      assert.match(await facts(), /Quality20/);
    });

    test("an arrow key at the slider changes the quality, not the file", async () => {
      await focus("compare-quality");
      await visitor.press("ArrowRight");
      await until(async () => /Quality21/.test(await facts()));
      assert.equal(await name(), "wide.jpg");
    });

    test("the result is downloaded there", async () => {
      const { format, width, height } = await visitor.download("#compare-save", "wide.webp", decoded);
      assert.deepEqual({ format, width, height }, { format: "webp", width: 480, height: 200 });
    });

    test("formats are offered with their exact sizes, and a click takes one", async () => {
      const read = () => [...document.querySelectorAll("#compare-offers button")].map(({ textContent }) => textContent);
      const offers = await until(async () => {
        const found = await evaluate(read);
        return found.length === 4 && found.every((words) => words.includes("(")) && found;
      });
      assert.deepEqual(offers.map((words) => words.match(/^(.*?) [\d.]+ \w+ \(/)[1]), ["JPEG", "WebP", "AVIF", "PNG, 256 colors"]);
      await visitor.page.click("#compare-offers button:nth-child(3)");
      await until(async () => (await saved()) === "wide.avif" && (await visitor.text("#compare-size")).includes("("));
      assert.ok(offers[2].startsWith(`AVIF ${(await visitor.text("#compare-size")).split(" (")[0]}`), offers[2]);
    });

    test("a size is given there, and used for all files by a click", async () => {
      await visitor.pick("compare-to", "image/webp");
      await visitor.pick("compare-kilobytes", "4");
      await until(async () => (await saved()) === "wide.webp" && (await kilobytes()) <= 4);
      await visitor.page.click("#compare-all");
      assert.equal(await visitor.text("#compare-note"), CATALOG.compare.usedForAll);
      await visitor.closeComparison();
      const read = () => ({ format: document.getElementById("image-to").value, isSize: document.getElementById("aim-size").checked, kilobytes: document.querySelector('input[name="kilobytes"]').value });
      assert.deepEqual(await evaluate(read), { format: "image/webp", isSize: true, kilobytes: "4" });
      await until(async () => (await visitor.cards()).every(({ save }) => save.endsWith(".webp")));
      await visitor.settled(2);
    });

    test("Escape leads back to the card, Back closes it as well, and the page stays", async () => {
      await evaluate(() => document.querySelector(".compare").focus());
      await visitor.press("Enter");
      await until(isOpen);
      await visitor.press("Escape");
      assert.equal(await isOpen(), false);
      assert.equal(await evaluate(() => document.activeElement === document.querySelector(".compare")), true);
      await visitor.compare();
      await evaluate(() => history.back());
      await until(async () => !(await isOpen()));
      assert.equal((await visitor.cards()).length, 2);
    });
  });
