// Formats that are offered on the cards (www/offers/), and the options of the codec in the comparison.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { drawing } from "./support/drawing.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit({ idle: true });
const { page, complaints, card, settled, add, download } = visitor;
after(() => visitor.close());

const offer = (name) => card(name).locator(".card-offer");
const size = () => page.textContent("#compare-size");
const done = (from) => page.waitForFunction((from) => document.getElementById("compare-size").textContent !== from && /\(/.test(document.getElementById("compare-size").textContent), from);
const fact = async (name) => {
  const rows = await page.locator("#facts-after div").evaluateAll((divs) => divs.map((div) => [...div.children].map(({ textContent }) => textContent)));
  return Object.fromEntries(rows)[name];
};

test("a card offers the format that makes the file much smaller, and one click takes it", async () => {
  await add([await drawing("drawing.png")]);
  await settled();
  await offer("drawing.png").waitFor();
  const words = await offer("drawing.png").textContent();
  const [, saving, format] = words.match(/^−(\d+)\s% (?:as (JPEG|WebP)|with 256 colors)$/);
  assert.ok(Number(saving) >= 20, words);
  assert.equal(await offer("drawing.png").getAttribute("aria-label"), `drawing.png: ${words}`);
  await offer("drawing.png").click();
  await page.waitForFunction((saving) => document.querySelector(".card-saved").textContent.startsWith(`−${saving}`), saving);
  const { bytes } = await download(card("drawing.png").locator(".save"));
  assert.equal((await decoded(bytes)).format, format?.toLowerCase() ?? "png");
  assert.equal(await offer("drawing.png").isVisible(), false);
});

test("a visitor who chose a format, a quality or a size is offered none", async () => {
  await page.click("#clear");
  await page.selectOption("#image-to", "image/webp");
  await page.click('label[for="aim-manual"]');
  await add([await drawing("chosen.png"), await photoFile("photo.jpg")]);
  await settled();
  await page.selectOption("#image-to", "");
  await settled();
  // Long enough for an offer to be computed, if there were one.
  await page.waitForTimeout(4000);
  assert.equal(await page.locator(".card-offer:visible").count(), 0);
  await page.click('label[for="aim-default"]');
  await offer("chosen.png").waitFor();
});

test("a PNG in the comparison gets a palette and loses it again, and its colors are counted", async () => {
  await page.click("#clear");
  await add([await drawing("drawing.png")]);
  await settled();
  await card("drawing.png").locator(".compare").click();
  await page.locator("#layer-after img").waitFor();
  await page.waitForFunction(() => /\(/.test(document.getElementById("compare-size").textContent));
  assert.ok(await page.isChecked("#compare-lossless"));
  assert.equal(await fact("Colors"), undefined);
  const before = await size();
  await page.uncheck("#compare-lossless");
  await done(before);
  await page.waitForFunction(() => document.getElementById("facts-after").textContent.includes("Colors256"));
  const withPalette = await size();
  await page.locator("#compare-quality").fill("20");
  await done(withPalette);
  await page.waitForFunction(() => /Colors\d{2}\D/.test(document.getElementById("facts-after").textContent));
  const { bytes } = await download(page.locator("#compare-save"));
  assert.equal(String(bytes.readUInt32BE(bytes.indexOf("PLTE") - 4) / 3), await fact("Colors"));
  await page.check("#compare-lossless");
  await page.waitForFunction((words) => document.getElementById("compare-size").textContent === words, before);
  await page.waitForFunction(() => !document.getElementById("facts-after").textContent.includes("Colors"));
});

test("effort is changed in the comparison, and goes to all files with the other settings", async () => {
  await page.selectOption("#compare-to", "image/webp");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "drawing.webp");
  assert.equal(await page.inputValue("#compare-effort"), "4");
  // What was chosen for the file holds for its other formats.
  assert.ok(await page.isChecked("#compare-lossless"));
  const first = await size();
  await page.uncheck("#compare-lossless");
  await done(first);
  const lossy = await size();
  await page.check("#compare-lossless");
  await done(lossy);
  const before = await page.getAttribute("#compare-save", "href");
  await page.locator("#compare-effort").fill("0");
  await page.waitForFunction((url) => document.getElementById("compare-save").getAttribute("href") !== url, before);
  await page.click("#compare-all");
  await page.keyboard.press("Escape");
  assert.equal(await page.inputValue("#effort"), "0");
  assert.ok(await page.isChecked("#lossless"));
  assert.equal(await page.inputValue("#image-to"), "image/webp");
  assert.equal(await card("drawing.png").locator(".card-to").inputValue(), "");
});

test("a format without these options shows none of them", async () => {
  await card("drawing.png").locator(".compare").click();
  await page.selectOption("#compare-to", "image/gif");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "drawing.gif");
  assert.equal(await page.locator("#compare-options").isVisible(), false);
  await page.keyboard.press("Escape");
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
