// Colors and dithering of a palette, and the resolution of chroma: for one file in the comparison, for all by the settings, in the
// address, and in the code.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { importBuilt } from "../../scripts/built.mjs";
import { violations } from "../package/support/accessibility.mjs";
import { countCalls } from "./support/calls.mjs";
import { drawing } from "./support/drawing.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, text, settled, add, download, compare, closeComparison } = visitor;
after(() => visitor.close());
const known = await (await importBuilt()).formats();
const NAMES = ["colors", "dither", "chroma"];

before(async () => {
  await add([await drawing("drawing.png"), await photoFile("photo.jpg"), await photoFile("other.jpg", { seed: 2 })]);
  await settled();
});

/** Which of the options the comparison shows. */
async function offered() {
  const shown = await Promise.all(NAMES.map((name) => page.locator(`#compare-${name}-field`).isVisible()));
  return NAMES.filter((_, index) => shown[index]);
}
/** Changes something in the comparison, and waits for its other result. */
async function remade(change) {
  const earlier = await page.getAttribute("#compare-save", "href");
  await change();
  await page.waitForFunction((url) => document.getElementById("compare-save").getAttribute("href") !== url, earlier);
}
/** Until every offer of the comparison has its size: measuring one is a call too. */
const measured = () => page.waitForFunction(() => [...document.querySelectorAll("#compare-offers button")].every(({ textContent }) => !textContent.endsWith("…")));
const result = async () => (await download(page.locator("#compare-save"))).bytes;
const saved = async (name) => (await download(card(name).locator(".save"))).bytes;
/** How many colors an image has. */
async function colorsOf(bytes) {
  const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size;
}
const chromaOf = async (bytes) => (await sharp(bytes).metadata()).chromaSubsampling;

test("a PNG gets as few colors as are asked for, which its card says", async () => {
  await compare("drawing.png");
  assert.deepEqual(await offered(), ["colors"]);
  await remade(() => page.fill("#compare-colors", "8"));
  assert.deepEqual(await offered(), ["colors", "dither"]);
  assert.equal(await page.isChecked("#compare-lossless"), false);
  assert.equal(await page.textContent("#compare-losses"), "At most 8 colors");
  assert.equal(await colorsOf(await result()), 8);
  assert.deepEqual(await violations(page, 16), []);
});

test("without dithering it is another file, and what was there before costs nothing", async () => {
  const dithered = await result();
  await remade(() => page.locator("#compare-dither").fill("0"));
  const flat = await result();
  assert.ok(flat.length < dithered.length, `${flat.length} < ${dithered.length}`);
  assert.equal(await colorsOf(flat), 8);
  await measured();
  assert.equal(await countCalls(page, () => remade(() => page.locator("#compare-dither").fill("100"))), 0);
  assert.deepEqual(await result(), dithered);
});

test("a number of colors that a palette can't have changes nothing, and none is no limit", async () => {
  const before = await page.getAttribute("#compare-save", "href");
  await page.fill("#compare-colors", "300");
  await page.locator("#compare-dither").focus();
  assert.ok(await page.locator("#compare-colors").evaluate((field) => field.matches(":user-invalid")));
  assert.equal(await page.getAttribute("#compare-save", "href"), before);
  await remade(() => page.fill("#compare-colors", ""));
  assert.ok(await page.isChecked("#compare-lossless"));
  assert.deepEqual(await offered(), ["colors"]);
  await remade(() => page.fill("#compare-colors", "8"));
  await closeComparison();
});

test("a file that was removed comes back with its colors", async () => {
  const sizes = await text("drawing.png", "sizes");
  await card("drawing.png").locator(".remove").click();
  await page.click("#undo-do");
  assert.equal(await text("drawing.png", "sizes"), sizes);
  assert.equal(await card("drawing.png").locator(".loss").textContent(), "At most 8 colors");
  await compare("drawing.png");
  assert.equal(await page.inputValue("#compare-colors"), "8");
});

test("a GIF has both, and gives them to all files", async () => {
  await remade(() => page.selectOption("#compare-to", "image/gif"));
  assert.deepEqual(await offered(), ["colors", "dither"]);
  await remade(() => page.locator("#compare-dither").fill("50"));
  await page.click("#compare-all");
  await closeComparison();
  await page.waitForFunction(() => location.hash === "#imageTo=image%2Fgif&colors=8&dither=50");
  await settled();
  assert.equal(await page.inputValue("#colors"), "8");
  assert.equal(await page.inputValue("#dither"), "50");
  const colors = await colorsOf(await saved("photo.jpg"));
  assert.ok(colors > 4 && colors <= 8, `${colors} colors`);
});

test("JPEG and AVIF have chroma, other formats none of them, and it goes to all files", async () => {
  await page.click("#preset-reset");
  await page.waitForFunction(() => location.hash === "");
  await settled();
  assert.equal(await chromaOf(await saved("other.jpg")), "4:2:0");
  await compare("photo.jpg");
  assert.deepEqual(await offered(), ["chroma"]);
  await remade(() => page.selectOption("#compare-to", "image/webp"));
  assert.deepEqual(await offered(), []);
  await remade(() => page.selectOption("#compare-to", "image/avif"));
  assert.deepEqual(await offered(), ["chroma"]);
  await remade(() => page.check("#compare-lossless"));
  assert.deepEqual(await offered(), []);
  await remade(() => page.uncheck("#compare-lossless"));
  await remade(() => page.selectOption("#compare-to", ""));
  await remade(() => page.selectOption("#compare-chroma", "444"));
  assert.equal(await chromaOf(await result()), "4:4:4");
  await page.click("#compare-all");
  await closeComparison();
  await page.waitForFunction(() => location.hash.includes("chroma=444"));
  await settled();
  assert.equal(await chromaOf(await saved("other.jpg")), "4:4:4");
});

test("a link has them, the form shows those of the format for all images, and the code names them", async (context) => {
  const { page, close } = await visit({ origin: visitor.site, hash: "#colors=16&dither=40&chroma=420" });
  context.after(close);
  assert.deepEqual(await Promise.all(NAMES.map((name) => page.inputValue(`#${name}`))), ["16", "40", "420"]);
  const shown = (expected) =>
    page.waitForFunction(
      ([names, expected]) => names.every((name) => document.getElementById(`${name}-field`).hidden !== expected.includes(name)),
      [NAMES, expected],
    );
  const code = (words) => page.waitForFunction((words) => document.getElementById("code").textContent.includes(words), words);
  await page.locator("#advanced summary").click();
  await page.locator("#code").locator("xpath=ancestor::details/summary").click();
  await shown(NAMES);
  await code("compress(file, {\n    colors: 16,\n    dither: 0.4,\n  })");
  for (const type of await page.locator('#image-to option:not([value=""])').evaluateAll((options) => options.map(({ value }) => value))) {
    const { colors, chroma } = known.find((format) => format.type === type);
    await page.selectOption("#image-to", type);
    await shown([...(colors ? ["colors", "dither"] : []), ...(chroma ? ["chroma"] : [])]);
  }
  await page.selectOption("#image-to", "image/avif");
  await code('convert(file, "image/avif", {\n    chroma: "420",\n  })');
  await page.locator("#lossless").check();
  await shown([]);
  await page.locator("#lossless").uncheck();
  await page.selectOption("#image-to", "image/png");
  await page.fill("#colors", "");
  await shown(["colors"]);
  await page.evaluate(() => {
    const field = document.getElementById("colors");
    field.value = "1";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.getElementById("advanced").open = false;
  });
  await page.waitForFunction(() => document.getElementById("colors-error").textContent !== "");
  assert.match(await page.textContent("#colors-error"), /^A whole number from 2 to 256, or empty\./);
  // The fold is opened for it.
  await page.locator("#colors-error").waitFor();
  await page.fill("#colors", "12");
  assert.equal(await page.textContent("#colors-error"), "");
  await code('convert(file, "image/png", {\n    colors: 12,\n    dither: 0.4,\n  })');
});

test("a number of colors that can't be counts only in formats that have it", async (context) => {
  const { page, close } = await visit({ origin: visitor.site });
  context.after(close);
  const error = (pattern) =>
    page.waitForFunction((source) => new RegExp(source).test(document.getElementById("colors-error").textContent), pattern.source);
  const applied = (hash) => page.waitForFunction((hash) => location.hash.includes(hash), hash);
  await page.locator("#advanced summary").click();
  await page.selectOption("#image-to", "image/png");
  await applied("imageTo=image%2Fpng");
  await page.locator("#colors").fill("1");
  await error(/^A whole number from 2 to 256/);
  await page.selectOption("#image-to", "image/jpeg");
  await applied("imageTo=image%2Fjpeg");
  assert.equal(await page.locator("#colors-field").isVisible(), false);
  assert.equal(await page.textContent("#colors-error"), "");
  await page.selectOption("#image-to", "image/png");
  await error(/^A whole number from 2 to 256/);
  await page.locator("#colors-error").waitFor();
  await page.locator("#colors").fill("16");
  await error(/^$/);
  await applied("imageTo=image%2Fpng&colors=16");
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
