// Photos are compressed, converted and compared, the score of a large one is estimated, and a card offers formats.
import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { createConsumer } from "../../package/support/consumer.mjs";
import { until } from "../../package/support/until.mjs";
import { formatSize } from "../../../www/formatting.js";
import { drawing } from "../support/drawing.mjs";
import { photoFile } from "../support/visitor.mjs";

const { compress, score } = await createConsumer().import();
// The first one has pixels enough for a score to be estimated.
const photos = await Promise.all([1000, 800, 800].map((height, index) => photoFile(`photo ${index + 1}.jpg`, { seed: index + 1, width: 1200, height })));

/** What the cards of the photos say if these are made as the package makes them in Node. */
function expected(options, extension) {
  const cards = photos.map(async ({ name, buffer }) => {
    const { outputSize } = await compress(buffer, options);
    const sizes = `${formatSize(buffer.length)} → ${formatSize(outputSize)}`;
    return { name, state: "done", sizes, save: name.replace("jpg", extension), thumbnail: true };
  });
  return Promise.all(cards);
}

/** @param visitor an EngineVisitor. */
export const testCompression = (visitor) =>
  describe("compression", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);

    test("photos become as small as in Node", async () => {
      await visitor.add(...photos);
      // Thumbnails are drawn when there is time.
      await until(async () => (await visitor.cards()).filter(({ thumbnail }) => thumbnail).length === photos.length);
      assert.deepEqual(await visitor.settled(3), await expected({}, "jpg"));
    });

    test("another format is chosen for all of them", async () => {
      await visitor.pick("image-to", "image/webp");
      await until(async () => (await visitor.cards()).every(({ save }) => save.endsWith(".webp")));
      assert.deepEqual(await visitor.settled(), await expected({ to: "webp" }, "webp"));
    });

    test("original and result are compared, and the estimate of the score is about the score", async () => {
      await evaluate(() => {
        globalThis.told = [];
        const list = document.getElementById("facts-after");
        const note = () => told.push(document.querySelector("#facts-after div:last-child dd")?.textContent ?? "");
        new MutationObserver(note).observe(list, { childList: true, subtree: true });
      });
      await visitor.compare();
      const readWidths = () => {
        const widths = [...document.querySelectorAll(".layer img")].map(({ naturalWidth }) => naturalWidth);
        return widths.every((width) => width > 0) && widths;
      };
      assert.deepEqual(await until(() => evaluate(readWidths)), [1200, 1200]);
      const findEstimate = () => globalThis.told.find((words) => words.startsWith("about "));
      const estimate = await until(() => evaluate(findEstimate));
      const { blob } = await compress(photos[0].buffer, { to: "webp" });
      const exact = (await score(photos[0].buffer, blob)).score;
      assert.ok(Math.abs(Number.parseInt(estimate.slice(6), 10) - exact) < 8, `${estimate}, and it is ${exact}`);
      await visitor.closeComparison();
    });

    test("a card offers formats, and one click takes one", async () => {
      await visitor.addAlone(await drawing("drawing.png"));
      const readLabels = () => [...document.querySelectorAll(".card-offers button")].map(({ textContent }) => textContent);
      const labels = await until(async () => {
        const found = await evaluate(readLabels);
        return found.length === 3 && found.every((label) => /\d (?:bytes|[kM]B)/.test(label)) && found;
      });
      const smallest = labels.find((label) => label.includes("%"));
      const saving = () => evaluate(() => document.querySelector(".card-saved").textContent);
      assert.ok(!smallest.includes(await saving()));
      await evaluate(() => document.querySelector(".card-offers [data-smallest]").click());
      await until(async () => smallest.includes(await saving()));
      assert.equal(await evaluate(() => document.querySelector('.card-offers [aria-pressed="true"]').hasAttribute("data-smallest")), true);
    });

    test("effort and lossless are changed in the comparison", async () => {
      await visitor.compare();
      await visitor.pick("compare-to", "image/webp");
      await until(() => evaluate(() => document.getElementById("compare-save").download === "drawing.webp"));
      const result = () => evaluate(() => document.getElementById("compare-save").href);
      const lossy = await result();
      await evaluate(() => document.getElementById("compare-lossless").click());
      await until(async () => (await result()) !== lossy);
      const lossless = await result();
      await visitor.pick("compare-effort", "0");
      await until(async () => (await result()) !== lossless);
      await visitor.closeComparison();
    });
  });
