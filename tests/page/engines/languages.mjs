// The page speaks the browser's language, in its direction, and leaves no box on the smallest screen.
import { strict as assert } from "node:assert";
import { after, describe, test } from "node:test";
import { withGainMap } from "../../package/support/formats/gain-map.mjs";
import { CATALOG as ARABIC } from "../../../www/text/ar.js";
import { CATALOG as GERMAN } from "../../../www/text/de.js";
import { outside } from "../support/outside.mjs";
import { photoFile } from "../support/visitor.mjs";
import { until } from "../../package/support/until.mjs";

const photo = await photoFile("a-very-long-name-of-a-photo-from-a-holiday-in-the-mountains-0042.jpg", { width: 900, height: 600 });
const map = await photoFile("", { width: 90, height: 60 });
const hdr = { name: "hdr.jpg", buffer: withGainMap(photo.buffer, map.buffer, { xmp: true }) };
const broken = { name: "broken.jpg", buffer: photo.buffer.subarray(0, 2000) };
const notes = { name: "notes.txt", buffer: Buffer.from("No picture.\n") };
const film = { name: "film.mp4", buffer: Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex") };

/** @param visitor an EngineVisitor. */
export const testLanguages = (visitor) =>
  describe("languages", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const name = () => visitor.text("#compare-name");
    after(() => visitor.speak("en-US"));

    for (const [locale, words, separator, next] of [
      ["de-AT", GERMAN, ",", "ArrowRight"],
      ["ar-EG", ARABIC, ".", "ArrowLeft"],
    ]) {
      test(`a browser in ${locale} gets the page in that language`, async () => {
        await visitor.speak(locale);
        await visitor.resize(320, 700);
        const readPage = () => [document.documentElement.lang, getComputedStyle(document.body).direction, document.title, document.getElementById("pledge-words").textContent];
        assert.deepEqual(await evaluate(readPage), [words.locale, words.direction, words.page.title, words.page.pledge]);
      });

      test(`in ${locale}, at 320 pixels, nothing leaves its box, with files and without`, async () => {
        assert.deepEqual(await evaluate(outside), []);
        await visitor.addAlone(photo, broken, film, hdr, notes);
        await visitor.settled(5);
        await evaluate(() => {
          const select = document.querySelector(".card-to");
          select.value = "image/gif";
          select.dispatchEvent(new Event("change"));
        });
        await until(() => evaluate(() => document.querySelector(".card:first-child .loss") !== null));
        const readWords = () => [...document.querySelectorAll(".card-status")].map(({ textContent }) => textContent);
        const [done, damaged, needy, , unread] = await evaluate(readWords);
        assert.ok(done.includes(words.card.byDevice("|").split("|")[0]), done);
        assert.deepEqual([damaged, needy, unread], [words.errors.damaged, words.card.noServer, words.errors.unsupported(words.formats["plain text"])]);
        assert.ok((await visitor.cards())[1].sizes.startsWith(`2${separator}00`));
        await evaluate(() => document.querySelectorAll(".card").forEach(({ style }) => (style.contentVisibility = "visible")));
        assert.deepEqual(await evaluate(outside), []);
      });

      test(`in ${locale}, the list of keys begins at its beginning, each in one line`, async () => {
        await visitor.press("?");
        const measure = () => {
          const heights = [...document.querySelectorAll("#keys-list kbd")].map((key) => key.getBoundingClientRect().height);
          const { open, scrollTop } = document.getElementById("keys");
          return { open, scrollTop, heights: new Set(heights.map(Math.round)).size };
        };
        assert.deepEqual(await evaluate(measure), { open: true, scrollTop: 0, heights: 1 });
        await visitor.press("Escape");
      });

      test(`in ${locale}, the comparison keeps the picture large beside all options, and its keys point the right way`, async () => {
        await visitor.compare();
        const measure = () => {
          const [fold, dialog] = ["compare-fold", "compare"].map((id) => document.getElementById(id));
          fold.open = true;
          const lefts = ["before", "after"].map((side) => document.getElementById(`facts-${side}`).getBoundingClientRect().left);
          return { share: document.getElementById("overlay").clientHeight / innerHeight, fits: [fold, dialog].every((box) => box.scrollWidth <= box.clientWidth), lefts };
        };
        const { share, fits, lefts } = await evaluate(measure);
        assert.ok(share >= 0.35 && fits, `${share}, ${fits}`);
        assert.ok(lefts[0] < lefts[1], `the facts of the original are on the left, as it is in the picture: ${lefts}`);
        const before = await name();
        await evaluate(() => document.getElementById("compare-close").focus());
        await visitor.press(next);
        assert.deepEqual([before, await name()], [photo.name, hdr.name]);
        await visitor.closeComparison();
      });
    }
  });
