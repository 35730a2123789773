// axe-core in each state of the page, and what takes the keyboard alone. Colors are the same in all browsers: those of dark pages are
// left to the tests in Chromium, whose driver can ask for them.
import { strict as assert } from "node:assert";
import { before, describe, test } from "node:test";
import { violations } from "../../package/support/accessibility.mjs";
import { sample } from "../../package/support/samples.mjs";
import { until } from "../../package/support/until.mjs";
import { decoded, photoFile } from "../support/visitor.mjs";

const photo = await photoFile("photo.jpg");
const late = await photoFile("late.jpg", { seed: 2 });
const broken = { name: "broken.jpg", buffer: photo.buffer.subarray(0, 2000) };
const film = { name: "film.mp4", buffer: Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex") };
const moving = { name: "moving.gif", buffer: Buffer.from(await sample("animated.gif", [320, 200])) };

/** @param visitor an EngineVisitor. */
export const testAccessibility = (visitor) =>
  describe("accessibility", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const focused = () => evaluate(() => document.activeElement.id || document.activeElement.className);
    const focus = (selector) => evaluate((selector) => document.querySelector(selector).focus(), selector);
    before(() => visitor.begin());

    const states = {
      "empty, with every setting in sight": () => evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true))),
      "with files under way": async () => {
        await visitor.holdResults();
        await visitor.add(photo, moving);
        for (const { name } of [photo, moving]) await visitor.state(name, "working");
      },
      "with files that are done, failed, lost something and lack a server": async () => {
        await visitor.letResults();
        await visitor.add(broken, film);
        await visitor.settled(4);
        await evaluate(() => {
          const select = document.querySelectorAll(".card-to")[1];
          select.value = "image/jpeg";
          select.dispatchEvent(new Event("change"));
        });
        await until(() => evaluate(() => document.querySelector(".card .loss") !== null));
      },
      "with them, on a narrow screen": () => visitor.resize(390, 900),
      "with the comparison": async () => {
        await visitor.resize(1200, 900);
        await visitor.compare();
        await until(() => evaluate(() => /^\d/.test(document.querySelector("#facts-after div:last-child dd")?.textContent ?? "")));
      },
      "with the offer to undo": async () => {
        await visitor.closeComparison();
        await visitor.page.click(".card:nth-child(3) .remove");
      },
      "with the keys": () => visitor.press("?"),
      "with the dialog for the server, which does not take the address": async () => {
        await visitor.press("Escape");
        await visitor.page.click("#pledge");
        await visitor.page.click("#privacy-server");
        await visitor.pick("service-address", "http://example.com");
        await focus("#service-address");
        await visitor.press("Enter");
        await until(async () => (await visitor.text("#service-error")) !== "");
      },
    };

    for (const [name, reach] of Object.entries(states)) {
      test(`axe finds nothing in the page ${name}`, async () => {
        await reach();
        assert.deepEqual(await violations(visitor, 16), []);
      });
    }

    test("Tab reaches all that is there, and a photo is compared and saved by keys", async () => {
      await visitor.press("Escape");
      await visitor.addAlone(photo);
      await visitor.settled();
      await focus("#pledge");
      const reached = [];
      while (reached.at(-1) !== "show-keys") {
        await visitor.press("Tab");
        reached.push(await focused());
        assert.ok(reached.length < 90, reached.join());
      }
      for (const id of ["file", "folder", "clear", "zip", "image-to", "aim-default", "longest", "metadata-safe"]) assert.ok(reached.includes(id), `${id} is not among ${reached}`);
      await focus(".card .compare");
      await visitor.press("Enter");
      await until(() => evaluate(() => document.querySelector("#layer-after img") !== null));
      assert.equal(await focused(), "divider");
      await visitor.press("Escape");
      await until(async () => /\bcompare\b/.test(await focused()));
      await visitor.press("Tab");
      assert.equal((await visitor.saved("photo.jpg", decoded, () => visitor.press("Enter"))).format, "jpeg");
    });

    test("keys stay on a card whose button goes with its state", async () => {
      await visitor.holdResults();
      await visitor.add(late);
      await visitor.state("late.jpg", "working");
      await focus(".card:nth-child(2) .cancel");
      await visitor.press("Enter");
      await visitor.state("late.jpg", "canceled");
      assert.match(await focused(), /\bagain\b/);
      await visitor.press("Enter");
      await visitor.state("late.jpg", "working");
      assert.match(await focused(), /\bcancel\b/);
      await visitor.letResults();
      await visitor.state("late.jpg", "done");
      assert.match(await focused(), /\bsave\b/);
    });
  });
