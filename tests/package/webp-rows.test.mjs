// WebP files of libwebp that are read row by row have its pixels: with predictors, color transforms, groups of prefix codes and color caches, as
// our own encoder does not write them all.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";

const { convert } = await createConsumer().import();
const [WIDTH, HEIGHT] = [500, 400];

/** Four quarters that are predicted in different ways: grain over a slope, gray, a drawing, and a photo's gradients. */
function picture(channels) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * channels);
  let seed = 1;
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)];
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const grain = seed >>> 28;
    const light = 128 + 90 * Math.sin(x / 37) * Math.cos(y / 23);
    const upper = x > WIDTH / 2 ? [light + grain, light + grain, light + grain, 255] : [grain * 16, light, 255 - light, (x + y) & 255];
    const lower = x > WIDTH / 2 ? [x & 8 ? 240 : 16, 40, 90, 255] : [light, light / 2 + grain, 200 - light / 3, 200];
    const pixel = (y > HEIGHT / 2 ? lower : upper).slice(0, channels);
    pixels.set(pixel.map((level) => Math.max(0, Math.min(255, Math.round(level)))), at * channels);
  }
  return { pixels, raw: { width: WIDTH, height: HEIGHT, channels } };
}

/** All rows but the first, which a crop to that height gives away: with `resize`, rows are read one by one. */
async function lower(file) {
  const result = await convert(file, "png", { resize: { width: WIDTH, height: HEIGHT - 1, fit: "cover" } });
  return sharp(await result.bytes()).raw().toBuffer({ resolveWithObject: true });
}

for (const channels of [3, 4]) {
  for (const effort of [0, 4, 6]) {
    test(`lossless, ${channels} channels, effort ${effort}`, async () => {
      const { pixels, raw } = picture(channels);
      const file = await sharp(pixels, { raw }).webp({ lossless: true, exact: true, effort }).toBuffer();
      const { data, info } = await lower(file);
      assert.deepEqual([info.width, info.height, info.channels], [WIDTH, HEIGHT - 1, channels]);
      assert.ok(data.equals(pixels.subarray(WIDTH * channels)));
    });
  }
}

test("the alpha of lossy pictures, exact and quantized", async () => {
  const { pixels, raw } = picture(4);
  const alpha = (data) => data.filter((_, at) => at % 4 === 3);
  for (const alphaQuality of [100, 70, 20]) {
    for (const effort of [0, 6]) {
      const file = await sharp(pixels, { raw }).webp({ quality: 60, alphaQuality, effort }).toBuffer();
      const expected = alpha(await sharp(file).raw().toBuffer()).subarray(WIDTH);
      assert.ok(Buffer.from(alpha((await lower(file)).data)).equals(Buffer.from(expected)), `${alphaQuality}, ${effort}`);
    }
  }
});
