// On small screens nothing leaves its box, and the comparison gives most of a landscape phone to the picture.
import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";
import { outside } from "../support/outside.mjs";
import { photoFile } from "../support/visitor.mjs";

const long = await photoFile("a-very-long-name-of-a-photo-from-a-holiday-in-the-mountains-0042.jpg");
const broken = { name: "broken.jpg", buffer: long.buffer.subarray(0, 900) };
const film = { name: "film.mp4", buffer: Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex") };

/** How each engine gets another size, and its narrowest page: WebKit's window keeps room for a toolbar. */
const SIZES = {
  Firefox: { resize: ({ page }, width, height) => page.setViewport({ width, height }), narrow: 320 },
  WebKit: {
    resize: async ({ page }, width, height) => page.resize(width, height + (await page.evaluate(() => outerHeight - innerHeight))),
    narrow: 460,
  },
};

/** @param visitor an EngineVisitor. */
export const testLayout = (visitor, engine) =>
  describe("layout", () => {
    const sizes = SIZES[engine.split(" ")[0]];
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const resize = async (width, height) => {
      await sizes.resize(visitor, width, height);
      await until(() => evaluate(({ width, height }) => innerWidth === width && innerHeight === height, { width, height }));
    };

    test(`at ${sizes.narrow} pixels nothing leaves its box`, async () => {
      await visitor.addAlone(long, broken, film);
      await visitor.settled(3);
      await resize(sizes.narrow, 700);
      // Cards that are not on the screen are laid out as well.
      await evaluate(() => document.querySelectorAll(".card").forEach(({ style }) => (style.contentVisibility = "visible")));
      assert.deepEqual(await evaluate(outside), []);
    });

    test("a landscape phone shows the picture on most of its height", async () => {
      await resize(844, 390);
      await visitor.compare();
      const share = await evaluate(() => document.getElementById("overlay").clientHeight / innerHeight);
      assert.ok(share >= 0.6, `${share}`);
      await visitor.closeComparison();
    });
  });
