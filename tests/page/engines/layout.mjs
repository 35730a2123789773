// On small screens nothing leaves its box, and the comparison gives most of a landscape phone to the picture.
import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { outside } from "../support/outside.mjs";
import { photoFile } from "../support/visitor.mjs";

const long = await photoFile("a-very-long-name-of-a-photo-from-a-holiday-in-the-mountains-0042.jpg");
const broken = { name: "broken.jpg", buffer: long.buffer.subarray(0, 900) };
const film = { name: "film.mp4", buffer: Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex") };

/** @param visitor an EngineVisitor. */
export const testLayout = (visitor) =>
  describe("layout", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);

    test("at 320 pixels nothing leaves its box", async () => {
      await visitor.addAlone(long, broken, film);
      await visitor.settled(3);
      await visitor.resize(320, 700);
      // Cards that are not on the screen are laid out as well.
      await evaluate(() => document.querySelectorAll(".card").forEach(({ style }) => (style.contentVisibility = "visible")));
      assert.deepEqual(await evaluate(outside), []);
    });

    test("a landscape phone shows the picture on most of its height", async () => {
      await visitor.resize(844, 390);
      await visitor.compare();
      const share = await evaluate(() => document.getElementById("overlay").clientHeight / innerHeight);
      assert.ok(share >= 0.6, `${share}`);
      await visitor.closeComparison();
    });
  });
