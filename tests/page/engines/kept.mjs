// No work is lost: results that were made before, removals, presets, and results that were not downloaded when the page is left.
import { strict as assert } from "node:assert";
import { before, describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";
import { countCalls } from "../support/calls.mjs";
import { decoded, photoFile } from "../support/visitor.mjs";

const photos = await Promise.all([1, 2, 3].map((seed) => photoFile(`photo ${seed}.jpg`, { seed, width: 180, height: 120 })));
const late = await photoFile("late.jpg", { seed: 4 });

/** @param visitor an EngineVisitor. */
export const testKept = (visitor) =>
  describe("what is kept", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const names = async () => (await visitor.cards()).map(({ name }) => name);
    const calls = (happens) => countCalls(visitor, happens);
    /** Takes a format for all files, and resolves to their cards. */
    const convert = async (format, extension) => {
      await visitor.pick("image-to", format);
      await until(async () => (await visitor.cards()).every(({ save }) => save.endsWith(extension)));
      return visitor.settled();
    };

    before(async () => {
      await visitor.begin();
      await visitor.add(...photos);
      await visitor.settled(3);
    });

    test("a format that was tried before computes nothing", async () => {
      const first = await visitor.cards();
      const times = [
        await calls(() => convert("image/avif", ".avif")),
        await calls(async () => assert.deepEqual(await convert("", ".jpg"), first)),
        await calls(() => convert("image/avif", ".avif")),
        await calls(() => convert("", ".jpg")),
      ];
      assert.deepEqual(times, [3, 0, 0, 0]);
    });

    test("a result stays, and can be saved, until another takes its place", async () => {
      const [before] = await visitor.cards();
      await visitor.holdResults();
      await evaluate(() => {
        const select = document.querySelector(".card-to");
        select.value = "image/webp";
        select.dispatchEvent(new Event("change"));
      });
      await visitor.state("photo 1.jpg", "working");
      const [during] = await visitor.cards();
      assert.deepEqual(during, { ...before, state: "working" });
      assert.equal(await evaluate(() => document.querySelector(".card .save").checkVisibility()), true);
      await visitor.letResults();
      await visitor.state("photo 1.jpg", "done");
      assert.equal((await visitor.cards())[0].save, "photo 1.webp");
    });

    test("a card that was removed comes back where it was, with its result, and computes nothing", async () => {
      const before = await visitor.cards();
      await visitor.page.click(".card:nth-child(2) .remove");
      assert.equal(await visitor.text("#undo-words"), "photo 2.jpg removed");
      assert.deepEqual(await names(), ["photo 1.jpg", "photo 3.jpg"]);
      assert.equal(await calls(() => visitor.page.click("#undo-do")), 0);
      assert.deepEqual(await visitor.cards(), before);
      assert.equal(await evaluate(() => document.getElementById("undo").checkVisibility()), false);
    });

    test("all cards that were cleared come back, and what was under way goes on", async () => {
      await visitor.holdResults();
      await visitor.add(late);
      await visitor.state("late.jpg", "working");
      const before = await names();
      await visitor.page.click("#clear");
      assert.deepEqual(await names(), []);
      await visitor.letResults();
      await visitor.page.click("#undo-do");
      assert.deepEqual(await names(), before);
      assert.deepEqual((await visitor.settled(4)).map(({ state }) => state), Array(4).fill("done"));
    });

    /**
     * Whether the browser then asks is its own: it takes a visitor who did something there, and drivers answer for them. The page is asked
     * here as a browser does.
     */
    test("leaving is questioned while files are under way and results are not downloaded, and not after a download", async () => {
      const isQuestioned = () => evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
      await visitor.page.click("#clear");
      assert.equal(await isQuestioned(), false);
      await visitor.holdResults();
      await visitor.add(late);
      await visitor.state("late.jpg", "working");
      assert.equal(await isQuestioned(), true);
      await visitor.letResults();
      await visitor.state("late.jpg", "done");
      assert.equal(await isQuestioned(), true);
      assert.equal((await visitor.download("#zip", "late.jpg", decoded)).format, "jpeg");
      await until(async () => !(await isQuestioned()));
      await convert("image/webp", ".webp");
      assert.equal(await isQuestioned(), true);
    });

    test("a preset of one's own and the settings are there at the next visit", async () => {
      await visitor.page.click("#clear");
      await visitor.page.click("#preset-reset");
      await visitor.pick("longest", "320");
      await until(() => evaluate(() => location.hash === "#longest=320"));
      await visitor.page.click("#preset-keep");
      await visitor.visit();
      const longest = () => evaluate(() => document.getElementById("longest").value);
      assert.equal(await longest(), "320");
      await visitor.page.click("#preset-reset");
      assert.equal(await longest(), "");
      await visitor.page.click('[data-preset="own"]');
      assert.equal(await longest(), "320");
    });
  });
