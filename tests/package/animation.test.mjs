// Animations through the package, decoded by sharp: animated outputs keep frames, delays and loop count; other
// outputs contain the first frame.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { difference } from "./support/decode.mjs";
import { apng } from "./support/formats/png.mjs";
import { drawing, paint } from "./support/pictures.mjs";

const { compress, convert, inspect } = await createConsumer().import();
const [WIDTH, HEIGHT] = [60, 40];
const delay = [50, 200, 120, 80];

/** Flat colors, in which a bar moves: no palette has to leave one out. */
const frames = delay.map((_, index) => {
  const { data } = drawing(WIDTH, HEIGHT);
  return paint(WIDTH, HEIGHT, (x, y) => (x >> 3 === index * 2 && y > 5 ? [255, 0, 200] : [...data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3)]));
});
const strip = () => sharp(Buffer.concat(frames.map(({ data }) => data)), { raw: { width: WIDTH, height: HEIGHT * frames.length, channels: 4, pageHeight: HEIGHT } });
const inputs = {
  gif: await strip().gif({ delay, loop: 3 }).toBuffer(),
  webp: await strip().webp({ delay, loop: 3, lossless: true }).toBuffer(),
  png: apng(frames, { delay, loop: 3 }),
};

/** What sharp finds: { pages, delay, loop } and the frames, one above the other. */
async function moving(blob) {
  const bytes = Buffer.from(await blob.arrayBuffer());
  const { pages, delay, loop } = await sharp(bytes, { pages: -1 }).metadata();
  const { data, info } = await sharp(bytes, { pages: -1 }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { facts: { pages, delay, loop }, picture: { width: info.width, height: info.height, data } };
}

const original = (await moving(new Blob([inputs.gif]))).picture;

for (const [from, bytes] of Object.entries(inputs)) {
  for (const to of ["gif", "webp"]) {
    test(`${from} → ${to} keeps moving`, async () => {
      assert.equal((await inspect(bytes)).frames, frames.length);
      const result = await convert(bytes, to, { quality: 90 });
      const { facts, picture } = await moving(result.blob);
      assert.deepEqual(facts, { pages: frames.length, delay, loop: 3 });
      assert.deepEqual([result.width, result.height], [WIDTH, HEIGHT]);
      const off = difference(picture, original);
      assert.ok(off <= (to === "gif" ? 1 : 6), `the frames are ${off} off`);
      assert.deepEqual(result.warnings.filter(({ code }) => code.startsWith("animation")), []);
    });

    test(`${from} → ${to}, half as large, keeps moving`, async () => {
      const result = await convert(bytes, to, { resize: { width: WIDTH / 2 } });
      const { facts, picture } = await moving(result.blob);
      assert.deepEqual(facts, { pages: frames.length, delay, loop: 3 });
      assert.deepEqual([picture.width, picture.height], [WIDTH / 2, (HEIGHT / 2) * frames.length]);
    });
  }

  test(`${from}: the first frame, where the output does not move or no more is wanted`, async () => {
    for (const [to, options, warnings] of [["jpeg", {}, ["animation_dropped"]], ["bmp", {}, ["animation_dropped"]], ["bmp", { animation: "first" }, []], ["webp", { animation: "first", lossless: true }, []]]) {
      const result = await convert(bytes, to, options);
      assert.deepEqual(result.warnings.map(({ code }) => code).filter((code) => code.startsWith("animation")), warnings, to);
      assert.equal((await inspect(result.blob)).frames, 1, to);
    }
    const still = await convert(bytes, "webp", { animation: "first", lossless: true });
    const { picture } = await moving(still.blob);
    assert.deepEqual(picture.data, Buffer.from(frames[0].data));
  });
}

test("an animated PNG stays one, with each frame as it was in fewer bytes", async () => {
  const result = await compress(inputs.png);
  assert.deepEqual([result.type, result.keptOriginal, result.warnings], ["image/png", false, []]);
  // More than half of what is left is not pixels: the chunks that every frame has.
  assert.ok(result.outputSize < 0.6 * inputs.png.length, `${result.outputSize} of ${inputs.png.length} bytes`);
  // sharp reads no animated PNG; a WebP without loss has the same frames.
  const output = await result.blob.bytes();
  assert.equal((await inspect(output)).frames, frames.length);
  const { facts, picture } = await moving((await convert(output, "webp", { lossless: true })).blob);
  assert.deepEqual(facts, { pages: frames.length, delay, loop: 3 });
  assert.deepEqual(picture.data, Buffer.concat(frames.map(({ data }) => data)));
});

test("without options a GIF and a WebP keep moving and never grow", async () => {
  for (const name of ["gif", "webp"]) {
    const result = await compress(inputs[name]);
    assert.ok(result.outputSize <= inputs[name].length);
    assert.deepEqual((await moving(result.blob)).facts, { pages: frames.length, delay, loop: 3 });
  }
});
