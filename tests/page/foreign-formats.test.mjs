// Formats that filepress only reads, and those that it does not: a card says what to do with them.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { heic, jxl } from "../package/support/foreign.mjs";
import { decoded, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, state, text, settled, download, add } = visitor;
after(() => visitor.close());

test("JPEG XL becomes a JPEG, and what else is chosen", async () => {
  await add([{ name: "gradient.jxl", mimeType: "image/jxl", buffer: jxl }]);
  await settled();
  await state("gradient.jxl", "done");
  const { name, bytes } = await download(card("gradient.jxl").locator(".save"));
  assert.equal(name, "gradient.jpg");
  assert.deepEqual(await decoded(bytes), { format: "jpeg", width: 24, height: 16, pages: 1 });
  await card("gradient.jxl").locator(".card-to").selectOption("image/png");
  await page.waitForFunction(() => document.querySelector(".save").download === "gradient.png");
  await settled();
  assert.equal((await decoded((await download(card("gradient.jxl").locator(".save"))).bytes)).format, "png");
});

test("the format for all images is that of JPEG XL too", async () => {
  await page.selectOption("#image-to", "image/webp");
  await add([{ name: "second.jxl", mimeType: "image/jxl", buffer: jxl }]);
  await state("second.jxl", "done");
  await settled();
  const names = () => page.locator(".save").evaluateAll((links) => links.map(({ download }) => download));
  assert.deepEqual(await names(), ["gradient.png", "second.webp"]);
  await page.click("#preset-reset");
  await page.waitForFunction(() => [...document.querySelectorAll(".save")].some(({ download }) => download === "second.jpg"));
});

test("of HEIC, which Chromium does not decode, the card says what to do", async () => {
  await add([{ name: "photo.heic", mimeType: "image/heic", buffer: heic() }]);
  await settled();
  await state("photo.heic", "failed");
  assert.match(await card("photo.heic").textContent(), /This is HEIC, which this browser can’t read\. Try Safari, or export/);
});

test("nothing was said to the console", () => {
  assert.deepEqual(complaints, []);
});
