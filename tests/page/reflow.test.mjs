// The page on small screens: at 320 pixels nothing leaves its box or the page, in each language, and the comparison gives most of a
// landscape phone to the picture, which stays in sight while its options are.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { withGainMap } from "../package/support/formats/gain-map.mjs";
import { drawing } from "./support/drawing.mjs";
import { outside } from "./support/outside.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const site = await serve();
after(() => site.close());
const long = "a-very-long-name-of-a-photo-from-a-holiday-in-the-mountains-0042.jpg";
const photo = await photoFile(long, { width: 900, height: 600 });
const hdr = { ...photo, name: "hdr.jpg", buffer: withGainMap(photo.buffer, (await photoFile("", { width: 90, height: 60 })).buffer, { xmp: true }) };
const broken = { ...photo, name: "broken.jpg", buffer: photo.buffer.subarray(0, 2000) };
const film = { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex") };

for (const [locale, width] of [
  ["en-US", 320],
  ["de-DE", 320],
  ["ar-EG", 320],
  ["en-US", 820],
]) {
  test(`at ${width} pixels nothing leaves its box, in ${locale}`, async (context) => {
    const { page, add, settled, card, close } = await visit({ origin: site, locale, viewport: { width, height: 800 } });
    context.after(close);
    assert.deepEqual(await page.evaluate(outside), []);
    await add([photo, broken, film, hdr]);
    await settled();
    await card(long).locator(".card-to").selectOption("image/gif");
    await card(long).locator(".loss").first().waitFor();
    assert.equal(await page.locator(".card").count(), 4);
    assert.ok(await card("hdr.jpg").locator(".keep-hdr").isVisible());
    for (const input of ["file", "folder"]) assert.ok(await page.locator(`label[for="${input}"]`).isVisible(), input);
    assert.deepEqual(await page.evaluate(outside), []);
  });
}

test("the formats on a card have their borders whole, wherever it is between two pixels", async (context) => {
  for (const width of [320, 1200]) {
    const { page, add, close } = await visit({ origin: site, viewport: { width, height: 800 }, idle: true });
    context.after(close);
    await add([photo]);
    await page.locator(".card-offers button").first().waitFor();
    // What scrolls is cut at its box, which is rounded for itself.
    const [above, below] = await page.locator(".card-offers").evaluate((row) => {
      const [box, button] = [row, row.firstElementChild].map((element) => element.getBoundingClientRect());
      return [button.top - box.top, box.bottom - button.bottom];
    });
    assert.ok(above >= 1 && below >= 1, `${width}: ${above}, ${below}`);
  }
});

test("a landscape phone and a page at 200 % show the picture on most of their height, all controls within reach, and some of it beside the options", async (context) => {
  for (const viewport of [{ width: 844, height: 390 }, { width: 640, height: 360 }, { width: 568, height: 320 }, { width: 390, height: 844 }]) {
    const { page, add, settled, compare, close } = await visit({ origin: site, viewport });
    context.after(close);
    await add([photo, { ...photo, name: "other.jpg" }]);
    await settled();
    await compare(long);
    await page.locator("#layer-after img").waitFor();
    const share = await page.evaluate(() => document.getElementById("overlay").clientHeight / innerHeight);
    assert.ok(share >= 0.6, `${viewport.width} × ${viewport.height}: ${share}`);
    const { width, height } = viewport;
    for (const id of ["compare-to", "compare-save", "compare-close", "file-next"]) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height, `${id} at ${width}`);
    }
    const beside = await page.evaluate(() => {
      const fold = document.getElementById("compare-fold");
      fold.open = true;
      return { share: document.getElementById("overlay").clientHeight / innerHeight, fits: fold.scrollWidth <= fold.clientWidth };
    });
    assert.ok(beside.share >= 0.2 && beside.fits, `with its options, ${width} × ${height}: ${JSON.stringify(beside)}`);
  }
});

test("a low window that is upright shows the name, the size and the way out", async (context) => {
  for (const [viewport, locale] of [[{ width: 320, height: 480 }, "de-DE"], [{ width: 375, height: 553 }, "de-DE"], [{ width: 320, height: 560 }, "ar-EG"]]) {
    const { page, add, settled, compare, close } = await visit({ origin: site, viewport, locale });
    context.after(close);
    await add([photo, { ...photo, name: "other.jpg" }]);
    await settled();
    await compare(long);
    await page.locator("#layer-after img").waitFor();
    for (const id of ["compare-name", "compare-close", "compare-size", "compare-kilobytes", "compare-all", "compare-save"]) {
      const { width, fits } = await page.locator(`#${id}`).evaluate((element) => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        const isWhole = element.id === "compare-name" || element.scrollWidth <= element.clientWidth + 1 || getComputedStyle(element).display === "inline";
        return { width, fits: isWhole && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight };
      });
      assert.ok(width > 30 && fits, `${id} at ${viewport.width} × ${viewport.height}`);
    }
    const share = await page.evaluate(() => document.getElementById("overlay").clientHeight / innerHeight);
    assert.ok(share >= 0.35, `${viewport.width} × ${viewport.height}: ${share}`);
  }
});

test("on a tablet the comparison has the whole name of its file", async (context) => {
  const { page, add, settled, compare, close } = await visit({ origin: site, viewport: { width: 820, height: 1180 }, locale: "de-DE" });
  context.after(close);
  const name = "holiday-in-the-mountains-0042.jpg";
  await add([{ ...photo, name }, photo]);
  await settled();
  await compare(name);
  const cut = await page.locator(".compare-head h2").evaluate((title) => title.scrollWidth - title.clientWidth);
  assert.equal(cut, 0);
});

test("on a phone the picture keeps its room while all options of the comparison are open", async (context) => {
  for (const viewport of [{ width: 320, height: 700 }, { width: 390, height: 844 }]) {
    const { page, add, settled, compare, close } = await visit({ origin: site, viewport, locale: "de-DE" });
    context.after(close);
    // A PNG has the most options.
    await add([await drawing("drawing.png"), photo]);
    await settled();
    await compare("drawing.png");
    await page.locator("#layer-after img").waitFor();
    await page.locator("#compare-fold summary").click();
    const { share, fits } = await page.evaluate(() => {
      const [fold, dialog] = ["compare-fold", "compare"].map((id) => document.getElementById(id));
      return { share: document.getElementById("overlay").clientHeight / innerHeight, fits: [fold, dialog].every((box) => box.scrollWidth <= box.clientWidth) };
    });
    assert.ok(share >= 0.35 && fits, `${viewport.width} × ${viewport.height}: ${share}, ${fits}`);
    const isInSheet = (id) =>
      page.locator(`#${id}`).evaluate((element) => {
        const [box, sheet] = [element, document.querySelector(".compare-sheet")].map((one) => one.getBoundingClientRect());
        // Not under the row that stays.
        const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return box.top >= sheet.top && box.bottom <= sheet.bottom + 1 && (element.contains(middle) || middle?.contains(element));
      });
    assert.ok(await isInSheet("compare-lossless"), "the options are in sight where they open");
    for (const id of ["compare-to", "compare-quality", "compare-kilobytes", "compare-all", "compare-offers", "compare-colors", "facts-after"]) {
      await page.locator(`#${id}`).evaluate((element) => element.scrollIntoView({ block: "end" }));
      assert.ok(await isInSheet(id), `${id} at ${viewport.width}`);
      for (const kept of ["compare-size", "compare-save"]) assert.ok(await isInSheet(kept), `${kept} beside ${id} at ${viewport.width}`);
    }
  }
});

test("in forced colors too, a field beside its label does not show the label again", async (context) => {
  for (const [viewport, opacity] of [[{ width: 1440, height: 900 }, "0"], [{ width: 640, height: 360 }, "1"]]) {
    const { page, add, settled, compare, close } = await visit({ origin: site, viewport, forcedColors: "active" });
    context.after(close);
    await add([photo]);
    await settled();
    await compare(long);
    assert.equal(await page.evaluate(() => getComputedStyle(document.getElementById("compare-kilobytes"), "::placeholder").opacity), opacity);
  }
});
