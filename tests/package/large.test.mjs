// A 50-megapixel photo in a page: it is resized, re-encoded, or refused by its header with the needed and allowed
// memory. `node benches/large.mjs` measures each of these.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createBrowserProject } from "./support/browser-project.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { photo } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";
import { countWorkers } from "./support/workers.mjs";

const MB = 1e6;
const [WIDTH, HEIGHT] = [8660, 5774];
const large = (settings) =>
  toSharp(photo(866, 577)).removeAlpha().resize(WIDTH, HEIGHT, { fit: "fill" }).jpeg({ quality: 85, ...settings }).toBuffer();
const made = new Map([["/large.jpg", await large()], ["/progressive.jpg", await large({ progressive: true })]]);
const browser = await launchChromium();
const project = createBrowserProject(createConsumer(), browser, made);
after(() => browser.close());

/** Makes one call in a fresh page; also tells how much memory its worker had in the end, which was the most. */
async function compressFile(path, options) {
  const { page, close } = await project.open(undefined, undefined, (page) => page.addInitScript(countWorkers));
  const told = await page.evaluate(([path, options]) => compressFile(path, options), [path, options]);
  const { mostHeld } = await page.evaluate(() => count);
  await close();
  return { ...told, mostHeld };
}

for (const to of ["image/jpeg", "image/webp"]) {
  test(`to 1600 pixels, ${to}`, async () => {
    const options = { to, resize: { maxWidth: 1600 } };
    const { type, decoded, mostHeld } = await compressFile("/large.jpg", options);
    assert.deepEqual([type, decoded], [to, [1600, 1067]]);
    assert.ok(mostHeld > MB && mostHeld <= 80 * MB, `${mostHeld} bytes`);
    const progressive = await compressFile("/progressive.jpg", options);
    assert.deepEqual(progressive.decoded, [1600, 1067]);
    assert.ok(progressive.mostHeld <= 256 * MB, `${progressive.mostHeld} bytes`);
  });
}

test("to a JPEG of 50 megapixels", async () => {
  const { type, decoded, blobSize, mostHeld } = await compressFile("/large.jpg", { quality: 70 });
  assert.deepEqual([type, decoded], ["image/jpeg", [WIDTH, HEIGHT]]);
  assert.ok(blobSize < made.get("/large.jpg").length);
  assert.ok(mostHeld <= 400 * MB, `${mostHeld} bytes`);
});

test("to a WebP of 50 megapixels", async () => {
  const { type, decoded, mostHeld } = await compressFile("/large.jpg", { to: "webp" });
  assert.deepEqual([type, decoded], ["image/webp", [WIDTH, HEIGHT]]);
  assert.ok(mostHeld <= 400 * MB, `${mostHeld} bytes`);
});

test("over a limit it is refused from its header, with what it needs", async () => {
  const { name, code, details, mostHeld } = await compressFile("/large.jpg", { limits: { maxMemoryBytes: 100 * MB } });
  assert.deepEqual([name, code, details.limitBytes], ["LimitError", "too_much_memory", 100 * MB]);
  assert.ok(details.needBytes > WIDTH * HEIGHT * 3, `${details.needBytes} bytes`);
  assert.ok(mostHeld <= 20 * MB, `${mostHeld} bytes`);
  const lossless = await compressFile("/large.jpg", { to: "webp", lossless: true });
  assert.deepEqual([lossless.code, lossless.details.limitBytes], ["too_much_memory", 2 ** 30]);
  assert.ok(lossless.details.needBytes > 2 ** 30, `${lossless.details.needBytes} bytes`);
});
