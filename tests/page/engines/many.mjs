// Many files: they are sorted, filtered, canceled, taken up again and removed together, and each says what is wrong with it.
import { strict as assert } from "node:assert";
import { before, describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";
import { CATALOG } from "../../../www/text/en.js";
import { photoFile } from "../support/visitor.mjs";

// The larger its number, the larger the photo.
const photos = await Promise.all([1, 2, 3].map((seed) => photoFile(`photo ${seed}.jpg`, { seed, width: 200 + 200 * seed, height: 200 })));
const broken = { name: "broken.jpg", buffer: photos[0].buffer.subarray(0, 900) };
const odd = [
  { name: "letter.txt", buffer: Buffer.from("Dear reader,\n") },
  { name: "empty.png", buffer: Buffer.alloc(0) },
  { name: "film.mp4", buffer: Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex") },
];

/** @param visitor an EngineVisitor. */
export const testMany = (visitor) =>
  describe("many files", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const names = async () => (await visitor.cards()).map(({ name }) => name);
    const states = async () => (await visitor.cards()).map(({ state }) => state);
    const isVisible = (id) => evaluate((id) => document.getElementById(id).checkVisibility(), id);

    before(() => visitor.begin());

    test("they are sorted and filtered, and a filter that hides all says so", async () => {
      await visitor.add(photos[1], broken, photos[2], photos[0]);
      await visitor.settled(4);
      const added = ["photo 2.jpg", "broken.jpg", "photo 3.jpg", "photo 1.jpg"];
      assert.deepEqual(await names(), added);
      await visitor.pick("sort", "name");
      assert.deepEqual(await names(), ["broken.jpg", "photo 1.jpg", "photo 2.jpg", "photo 3.jpg"]);
      await visitor.pick("sort", "size");
      assert.deepEqual(await names(), ["photo 3.jpg", "photo 2.jpg", "photo 1.jpg", "broken.jpg"]);
      await visitor.pick("filter", "failed");
      assert.deepEqual(await names(), ["broken.jpg"]);
      assert.equal(await isVisible("none-shown"), false);
      await visitor.pick("filter", "lost");
      assert.deepEqual(await names(), []);
      assert.equal(await isVisible("none-shown"), true);
      await visitor.pick("filter", "");
      await visitor.pick("sort", "");
      assert.deepEqual(await names(), added);
    });

    test("what failed is removed by one click, and comes back by undo", async () => {
      await visitor.page.click("#remove-failed");
      assert.deepEqual(await names(), ["photo 2.jpg", "photo 3.jpg", "photo 1.jpg"]);
      assert.equal(await isVisible("remove-failed"), false);
      await visitor.page.click("#undo-do");
      assert.deepEqual(await states(), ["done", "failed", "done", "done"]);
    });

    test("how far they are is said, all that is under way is canceled by one click, and taken up again by another", async () => {
      await visitor.holdResults();
      await visitor.pick("image-to", "image/webp");
      for (const { name } of photos) await visitor.state(name, "working");
      // What is damaged fails again meanwhile.
      await until(async () => (await visitor.text("#total-count")) === "1 of 4 files, 1 failed");
      await visitor.page.click("#cancel-all");
      await until(async () => (await states()).every((state) => state !== "working"));
      assert.deepEqual(await states(), ["canceled", "failed", "canceled", "canceled"]);
      assert.equal(await visitor.text("#total-count"), "4 files, 1 failed, 3 canceled");
      await visitor.letResults();
      await visitor.page.click("#retry-failed");
      await until(async () => (await states()).every((state) => state !== "canceled"));
      const cards = await visitor.settled(4);
      assert.deepEqual(cards.map(({ state }) => state), ["done", "failed", "done", "done"]);
      assert.deepEqual(cards.filter(({ state }) => state === "done").map(({ save }) => save), ["photo 2.webp", "photo 3.webp", "photo 1.webp"]);
    });

    test("what is wrong with a file is said in words, and no other attempt is offered that would change nothing", async () => {
      await visitor.addAlone(broken, ...odd, photos[0]);
      await visitor.settled(5);
      const read = () => [...document.querySelectorAll(".card")].map((card) => [card.querySelector(".card-status").textContent, card.querySelector(".again").checkVisibility()]);
      const { errors, card } = CATALOG;
      assert.deepEqual((await evaluate(read)).slice(0, 4), [
        [errors.damaged, false],
        ["filepress can’t read this format: plain text.", false],
        ["This file is empty.", false],
        [card.noServer, false],
      ]);
      assert.deepEqual(await states(), ["failed", "failed", "failed", "no-server", "done"]);
      assert.equal(await visitor.text("#total-count"), "5 files, 3 failed, 1 needs a server");
      // For those who do not see it.
      await until(async () => (await visitor.text("#status")).startsWith("1 file finished, 3 failed, 1 needs a server"));
    });

    test("a filter ends with the last file", async () => {
      await visitor.pick("filter", "failed");
      assert.equal((await names()).length, 3);
      await visitor.page.click("#clear");
      await visitor.add(photos[0]);
      await visitor.state("photo 1.jpg", "done");
      assert.equal(await evaluate(() => document.getElementById("filter").value), "");
    });
  });
