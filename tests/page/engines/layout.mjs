// On small screens nothing leaves its box, no card has room for what it does not show, Escape closes the settings, and the comparison gives
// most of a landscape phone to the picture.
import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";
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

    test("a card that failed ends below its buttons", async () => {
      const bands = await evaluate(() =>
        [...document.querySelectorAll('.card:is([data-state="failed"], [data-state="no-server"])')].map((card) => {
          const [box, button] = [card, card.querySelector(".remove")].map((element) => element.getBoundingClientRect());
          return Math.round(box.bottom - button.bottom);
        }),
      );
      assert.equal(bands.length, 2);
      assert.ok(bands.every((band) => band <= 20), `${bands}`);
    });

    test("cards have a row for formats only if the settings leave a choice", async () => {
      const height = () => evaluate(() => document.querySelector(".card").clientHeight);
      const before = await height();
      await evaluate(() => document.getElementById("aim-size").click());
      // Less than a row where letters are large.
      await until(async () => (await height()) < before - 20);
      await visitor.settled(3);
      await evaluate(() => document.getElementById("aim-default").click());
      await until(async () => (await height()) === before);
      await visitor.settled(3);
    });

    test("Escape closes the settings", async () => {
      const isOpen = () => evaluate(() => document.getElementById("panel").checkVisibility());
      assert.equal(await isOpen(), false);
      await evaluate(() => document.getElementById("show-settings").click());
      assert.equal(await isOpen(), true);
      await visitor.press("Escape");
      assert.equal(await isOpen(), false);
      assert.equal(await evaluate(() => document.activeElement.id), "show-settings");
    });

    test("a landscape phone shows the picture on most of its height", async () => {
      await visitor.resize(844, 390);
      await visitor.compare();
      const share = await evaluate(() => document.getElementById("overlay").clientHeight / innerHeight);
      assert.ok(share >= 0.6, `${share}`);
      await visitor.closeComparison();
    });
  });
