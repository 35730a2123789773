// Keys do what their list says, leave fields alone, and can be turned off for good.
import { strict as assert } from "node:assert";
import { before, describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";
import { unzip } from "../support/unzip.mjs";
import { photoFile } from "../support/visitor.mjs";

const photos = await Promise.all([1, 2].map((seed) => photoFile(`photo ${seed}.jpg`, { seed })));

/** @param visitor an EngineVisitor. */
export const testHelp = (visitor) =>
  describe("help", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const isOpen = (id) => evaluate((id) => document.getElementById(id).open, id);
    const focused = () => evaluate(() => document.activeElement.id);
    before(() => visitor.begin());

    test("the list of keys opens by a key and by its button, and closes by Escape and by its button", async () => {
      await visitor.press("?");
      assert.equal(await isOpen("keys"), true);
      const keys = await evaluate(() => [...document.querySelectorAll("#keys-list kbd")].map(({ textContent }) => textContent));
      // Neither browser can save into a folder.
      assert.deepEqual(keys, ["O", "⇧ O", "S", "F", "C", "B", "Z", "?", "← →", "+ − 0 1", "Esc"]);
      await visitor.press("Escape");
      assert.equal(await isOpen("keys"), false);
      await visitor.page.click("#show-keys");
      assert.equal(await isOpen("keys"), true);
      await visitor.page.click("#keys-close");
      assert.equal(await isOpen("keys"), false);
    });

    test("letters can be turned off, which lasts, and turned on again", async () => {
      await visitor.press("?");
      await visitor.page.click("#letters");
      await visitor.press("Escape");
      await visitor.visit();
      await visitor.press("?");
      assert.equal(await isOpen("keys"), false);
      await visitor.page.click("#show-keys");
      assert.equal(await evaluate(() => document.getElementById("letters").checked), false);
      await visitor.page.click("#letters");
      await visitor.press("Escape", "?");
      assert.equal(await isOpen("keys"), true);
      await visitor.press("Escape");
    });

    test("letters choose files, turn to the format, compare, download all and undo", async () => {
      await evaluate(() => {
        globalThis.asked = [];
        // What follows is a dialog of the system, which would stay.
        for (const id of ["file", "folder"])
          document.getElementById(id).addEventListener("click", (event) => {
            event.preventDefault();
            asked.push(id);
          });
      });
      await visitor.press("o");
      assert.deepEqual(await evaluate(() => asked), ["file"]);
      await visitor.add(...photos);
      await visitor.settled(2);
      await visitor.press("f");
      assert.equal(await focused(), "image-to");
      await evaluate(() => document.activeElement.blur());
      await visitor.press("c");
      await until(() => isOpen("compare"));
      assert.equal(await visitor.text("#compare-name"), "photo 1.jpg");
      // There it is another list.
      await visitor.press("f");
      assert.equal(await focused(), "compare-to");
      await visitor.closeComparison();
      const files = await visitor.saved("filepress-2-jpg.zip", unzip, () => visitor.press("s"));
      assert.deepEqual([...files.keys()], ["photo 1.jpg", "photo 2.jpg"]);
      await evaluate(() => document.querySelector(".remove").click());
      assert.equal((await visitor.cards()).length, 1);
      await visitor.press("z");
      assert.equal((await visitor.cards()).length, 2);
    });

    test("letters that are typed into a field do nothing else", async () => {
      await evaluate(() => {
        document.getElementById("advanced").open = true;
        document.getElementById("pattern").focus();
      });
      await visitor.press("c", "?", "z");
      const typed = await evaluate(() => document.getElementById("pattern").value.replace("{name}", ""));
      assert.equal(typed, "c?z");
      assert.deepEqual(await evaluate(() => [...document.querySelectorAll("dialog[open]")].map(({ id }) => id)), []);
    });
  });
