// The watermark: a picture from the settings that is laid over all images.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { hugePng } from "./support/huge.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, text, settled, download, add, compare, closeComparison } = visitor;
after(() => visitor.close());
const SIZE = { width: 400, height: 300 };
const gray = await sharp({ create: { ...SIZE, channels: 3, background: "#808080" } }).jpeg({ quality: 95 }).toBuffer();
const square = (name, background) =>
  sharp({ create: { width: 60, height: 60, channels: 3, background } }).png().toBuffer().then((buffer) => ({ name, mimeType: "image/png", buffer }));
const [red, blue] = [await square("red.png", "#ff0000"), await square("blue.png", "#0000ff")];

before(async () => {
  await add([{ name: "gray.jpg", mimeType: "image/jpeg", buffer: gray }]);
  await settled();
  await page.locator("#watermark summary").click();
});

/** The color of the saved result at a place, as [red, green, blue]. */
async function colorAt(left, top) {
  const { bytes } = await download(card("gray.jpg").locator(".save"));
  return [...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}
/** Chooses a file, and waits until the card has a result that is made with it. */
async function choose(file) {
  await changed(() => page.setInputFiles("#watermark-file", file));
  assert.equal(await page.textContent("#watermark-name"), file.name);
}
/** Waits until a change of the settings has made another result. */
async function changed(change) {
  const href = () => card("gray.jpg").locator(".save").getAttribute("href");
  const earlier = await href();
  await change();
  await page.waitForFunction((earlier) => document.querySelector(".save").getAttribute("href") !== earlier, earlier);
  await settled();
}
const near = (color, expected) => assert.ok(color.every((value, index) => Math.abs(value - expected[index]) < 14), `${color} for ${expected}`);
const GRAY = [128, 128, 128];
/** A place within the watermark at the bottom right, of a fifth of the width, and one at the top left. */
const [BOTTOM_RIGHT, TOP_LEFT] = [[SIZE.width - 40, SIZE.height - 40], [40, 40]];

test("a file that is chosen before the script of the fold has come is taken when it comes", async (context) => {
  const other = await visit({ origin: visitor.site });
  context.after(other.close);
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  await other.context.route("**/watermark-input.js", async (route) => {
    await arrived;
    await route.continue();
  });
  await other.page.locator("#watermark summary").click();
  await other.page.setInputFiles("#watermark-file", red);
  arrive();
  await other.page.waitForFunction(() => document.getElementById("watermark-name").textContent === "red.png");
});

test("a picture is laid over the results, half transparent, at the bottom right", async () => {
  await choose(red);
  near(await colorAt(...BOTTOM_RIGHT), [192, 64, 64]);
  near(await colorAt(...TOP_LEFT), GRAY);
});

test("its place, opacity and width are changed", async () => {
  await changed(() => page.selectOption("#mark-position", "top left"));
  near(await colorAt(...TOP_LEFT), [192, 64, 64]);
  near(await colorAt(...BOTTOM_RIGHT), GRAY);
  await changed(() => page.locator("#mark-opacity").fill("100"));
  near(await colorAt(...TOP_LEFT), [254, 0, 0]);
  near(await colorAt(150, 150), GRAY);
  await changed(() => page.locator("#mark-width").fill("50"));
  near(await colorAt(150, 150), [254, 0, 0]);
});

test("another picture takes its place, and the comparison gives no score to it", async () => {
  await choose(blue);
  near(await colorAt(...TOP_LEFT), [0, 0, 254]);
  await compare("gray.jpg");
  await page.locator("#layer-after img").waitFor();
  assert.doesNotMatch(await page.textContent("#facts-after"), /SSIMULACRA2/);
  await closeComparison();
});

test("the code of the settings has it", async () => {
  await page.locator("#code").locator("xpath=ancestor::details/summary").click();
  await page.waitForFunction(() => document.getElementById("code").textContent.includes("image: logo,"));
  assert.match(await page.textContent("#code"), /overlay: \{\n {6}image: logo,\n {6}position: "top left",\n {6}margin: "3%",\n {6}width: "50%",\n {6}opacity: 1,\n/);
});

test("a lossless JPEG takes it all the same", async () => {
  await page.locator("summary", { hasText: "Advanced" }).click();
  await page.locator("#lossless").check();
  await settled();
  near(await colorAt(...TOP_LEFT), [0, 0, 254]);
  await page.locator("#lossless").uncheck();
  await settled();
});

test("what is no picture is refused, and the one before stays", async () => {
  await page.setInputFiles("#watermark-file", { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear reader,\n") });
  await page.waitForFunction(() => document.getElementById("watermark-error").textContent !== "");
  assert.equal(await page.textContent("#watermark-error"), "filepress can’t read this format: plain text.");
  assert.equal(await page.textContent("#watermark-name"), "blue.png");
  near(await colorAt(...TOP_LEFT), [0, 0, 254]);
});

test("a picture whose pixels are damaged says that it is the watermark that is", async () => {
  const broken = { ...(await photoFile("broken.jpg")), name: "broken.jpg" };
  broken.buffer = broken.buffer.subarray(0, broken.buffer.length / 3);
  await page.setInputFiles("#watermark-file", broken);
  await visitor.state("gray.jpg", "failed");
  assert.equal(await text("gray.jpg", "status"), "The watermark: This file is damaged or incomplete.");
});

test("a file that is too large for this device is not sent to a server, which adds no watermark", async () => {
  await page.setInputFiles("#watermark-file", red);
  await settled();
  await add([{ name: "huge.png", mimeType: "image/png", buffer: hugePng() }]);
  await visitor.state("huge.png", "failed");
  assert.equal(await text("huge.png", "status"), "This image has 180 million pixels; this page takes up to 100 million.");
  await card("huge.png").locator(".remove").click();
});

test("without it results are as before", async () => {
  await changed(() => page.click("#watermark-remove"));
  near(await colorAt(...TOP_LEFT), GRAY);
  assert.equal(await page.textContent("#watermark-name"), "");
  assert.equal(await page.locator("#watermark-remove").isVisible(), false);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
