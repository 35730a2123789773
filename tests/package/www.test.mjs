// The demo page, as `make demo` serves it: a visitor chooses, drops, downloads, and is told what is wrong.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import sharp from "sharp";
import { serve } from "../../scripts/serve.mjs";
import { size } from "../../www/words.js";
import { launchChromium, openPage } from "./support/chromium.mjs";
import { photo } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";

const site = await serve();
const browser = await launchChromium();
after(() => Promise.all([browser.close(), site.close()]));
const picture = await toSharp(photo(900, 600)).removeAlpha().jpeg({ quality: 95 }).toBuffer();
const holiday = { name: "holiday.jpg", mimeType: "image/jpeg", buffer: picture };

const { page, complaints } = await openPage(browser, site.url);
const text = (id) => page.locator(`#${id}`).textContent();
const state = (name) => page.waitForSelector(`body[data-state="${name}"]`);

/** The file behind the download link, and the name it would be saved under. */
async function download() {
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) };
}

/** Whether the pictures in both panes are shown. */
const shown = () => page.waitForFunction(() => ["before-pane", "after-pane"].every((id) => document.querySelector(`#${id} img`)?.naturalWidth > 0));

test("a chosen photo becomes smaller; both pictures and both sizes are shown", async () => {
  await page.setInputFiles("#file", holiday);
  await state("done");
  await shown();
  const { name, bytes } = await download();
  assert.equal(name, "holiday.jpg");
  assert.ok(bytes.length < picture.length);
  const { width, height, format } = await sharp(bytes).metadata();
  assert.deepEqual([width, height, format], [900, 600, "jpeg"]);
  assert.deepEqual([await text("before-size"), await text("after-size")], [size(picture.length), size(bytes.length)]);
  assert.equal(await text("after-pixels"), "900 × 600");
  assert.match(await text("saved"), new RegExp(`^−${Math.round((1 - bytes.length / picture.length) * 100)} %$`));
});

test("a setting that changes presses the photo again", async () => {
  await page.selectOption("#output-type", "image/webp");
  await page.fill("#longest-side", "300");
  await page.waitForFunction(() => document.querySelector("#after-pixels").textContent === "300 × 200");
  const { name, bytes } = await download();
  assert.equal(name, "holiday.webp");
  const { width, height, format } = await sharp(bytes).metadata();
  assert.deepEqual([width, height, format], [300, 200, "webp"]);
});

test("a dropped photo is taken", async () => {
  await page.evaluate(async (numbers) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(numbers)], "dropped.jpg", { type: "image/jpeg" }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [...picture]);
  await page.waitForFunction(() => document.querySelector("#before-name").textContent === "dropped.jpg");
  await state("done");
  assert.equal((await download()).name, "dropped.webp");
});

test("a file that is no picture is refused in words", async () => {
  await page.setInputFiles("#file", { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear reader,\n") });
  await state("error");
  assert.ok(await page.locator("#error").isVisible());
  assert.equal(await text("error-code"), "unsupported_type");
  assert.ok((await text("error-message")).length > 15);
  assert.ok(!(await page.locator("#outcome").isVisible()));
});

test("and the next photo is pressed all the same", async () => {
  await page.setInputFiles("#file", holiday);
  await state("done");
  await shown();
  assert.ok(!(await page.locator("#error").isVisible()));
});

test("cancelling ends the work", async () => {
  const large = await toSharp(photo(3000, 2000)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
  await page.fill("#longest-side", "");
  await page.setInputFiles("#file", { name: "large.jpg", mimeType: "image/jpeg", buffer: large });
  await page.waitForFunction(() => document.querySelector("#phase").textContent === "Pressing");
  await page.click("#cancel");
  await state("cancelled");
});

test("the page had nothing to complain about, and everything came from its own address", async () => {
  assert.deepEqual(complaints, []);
  const addresses = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.ok(addresses.length > 5);
  assert.deepEqual(addresses.filter((address) => !address.startsWith(site.url) && !address.startsWith("blob:") && !address.startsWith("data:")), []);
});
