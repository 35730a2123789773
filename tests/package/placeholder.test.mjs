// `placeholder`, held against the encoders that define ThumbHash and BlurHash, and what `inspect` tells about a photo.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { decode as toPixels, encode as toBlurHash } from "blurhash";
import sharp from "sharp";
import { rgbaToThumbHash, thumbHashToAverageRGBA } from "thumbhash";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const api = await createConsumer().import();
const { inspect, placeholder } = api;

/** Of a byte, two coefficients of four bits, which a sum in another order may round differently. */
const halves = (bytes) => [...bytes].flatMap((byte) => [byte & 15, byte >> 4]);

/** The mean difference of colors. */
function difference(one, other) {
  const colors = [...one].map((value, at) => (at % 4 === 3 ? 0 : Math.abs(value - other[at])));
  return colors.reduce((sum, value) => sum + value, 0) / (0.75 * colors.length);
}

test("ThumbHash and BlurHash are what their own encoders make, or closer to the picture", async () => {
  for (const [width, height] of [[100, 75], [60, 100], [100, 100], [33, 7]]) {
    for (const alpha of [false, true]) {
      const picture = photo(width, height);
      if (alpha) for (let at = 3; at < picture.data.length; at += 4) picture.data[at] = (at * 7) % 256;
      const png = await (alpha ? toSharp(picture) : toSharp(picture).removeAlpha()).png().toBuffer();
      const data = new Uint8ClampedArray(await sharp(png).ensureAlpha().raw().toBuffer());
      const { thumbhash, blurhash, hasAlpha } = await placeholder(png);
      const what = `${width} × ${height}, alpha ${alpha}`;
      assert.equal(hasAlpha, alpha, what);
      const [found, expected] = [thumbhash, rgbaToThumbHash(width, height, data)].map(halves);
      assert.equal(found.length, expected.length, what);
      assert.ok(found.every((half, at) => Math.abs(half - expected[at]) <= 1), `${what}: ${found} ${expected}`);
      if (alpha) continue;
      const [across, down] = width >= height ? [4, 3] : [3, 4];
      const [ours, theirs] = [blurhash, toBlurHash(data, width, height, across, down)].map((hash) => difference(toPixels(hash, width, height), data));
      assert.equal(blurhash.length, 28);
      assert.ok(ours <= theirs + 0.5, `${what}: ${ours}, by its own encoder ${theirs}`);
    }
  }
});

test("a large photo is described at a fraction of its size", async () => {
  const jpeg = await toSharp(photo(1600, 1200)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
  const found = await placeholder(jpeg);
  assert.deepEqual([found.width, found.height, found.hasAlpha], [1600, 1200, false]);
  const { r, g, b } = thumbHashToAverageRGBA(found.thumbhash);
  const { channels } = await sharp(jpeg).stats();
  [r, g, b].forEach((value, at) => assert.ok(Math.abs(255 * value - channels[at].mean) < 12, `${255 * value}, ${channels[at].mean}`));
  const pixels = toPixels(found.blurhash, 8, 6);
  const mean = [0, 1, 2].map((channel) => pixels.filter((_, at) => at % 4 === channel).reduce((sum, value) => sum + value, 0) / 48);
  mean.forEach((value, at) => assert.ok(Math.abs(value - channels[at].mean) < 25, `${value}, ${channels[at].mean}`));
  assert.ok(found.palette.length >= 1 && found.palette.length <= 6 && found.palette[0] === found.dominant);
  for (const color of found.palette) assert.match(color, /^#[0-9a-f]{6}$/);
});

test("only images have placeholders, and options that have no meaning are refused", async () => {
  await expectFailure(api, placeholder(Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isommp42", "latin1")), "OptionsError", "needs_service");
  await expectFailure(api, placeholder(await sample("rgba.png"), { quality: 5 }), "OptionsError", "unknown_option");
  const { width } = await placeholder(await sample("animated.gif"), { crop: { width: 9 }, rotate: 180 });
  assert.equal(width, 9);
});

test("inspect estimates the quality of a JPEG, and tells animations from pages", async () => {
  for (const quality of [30, 75, 95]) {
    const found = await inspect(await toSharp(photo(64, 48)).removeAlpha().jpeg({ quality }).toBuffer());
    assert.ok(Math.abs(found.quality - quality) <= 1, `${quality}: ${found.quality}`);
  }
  const facts = async (name) => {
    const { isAnimated, hasGainMap, hasGps, quality } = await inspect(await sample(name));
    return { isAnimated, hasGainMap, hasGps, quality };
  };
  const still = { isAnimated: false, hasGainMap: false, hasGps: false, quality: undefined };
  assert.deepEqual(await facts("animated.webp"), { ...still, isAnimated: true });
  assert.deepEqual(await facts("pages.tiff"), still);
  assert.deepEqual(await facts("rgba.png"), still);
});
