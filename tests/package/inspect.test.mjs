// What inspect() tells of each sample.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { sampleNames, samples } from "./support/samples.mjs";

const { inspect } = await createConsumer().import();
const inputs = await samples([96, 64]);

/** [colorSpace, bitDepth, hasAlpha, frames] of each sample. */
const facts = {
  "baseline.jpg": ["ycbcr", 8, false, 1],
  "progressive.jpg": ["ycbcr", 8, false, 1],
  "grey.jpg": ["grey", 8, false, 1],
  "cmyk.jpg": ["cmyk", 8, false, 1],
  "wide-gamut.jpg": ["ycbcr", 8, false, 1],
  "rgb.png": ["rgb", 8, false, 1],
  "rgba.png": ["rgb", 8, true, 1],
  "palette.png": ["rgb", 8, false, 1],
  "grey.png": ["grey", 8, false, 1],
  "deep.png": ["rgb", 16, false, 1],
  "animated.png": ["rgb", 8, true, 3],
  "lossy.webp": ["rgb", 8, false, 1],
  "lossy-alpha.webp": ["rgb", 8, true, 1],
  "lossless.webp": ["rgb", 8, true, 1],
  "still.gif": ["rgb", 8, true, 1],
  "animated.gif": ["rgb", 8, true, 3],
  "animated.webp": ["rgb", 8, false, 3],
  "plain.bmp": ["rgb", 8, false, 1],
  "alpha.bmp": ["rgb", 8, true, 1],
  "coded.tga": ["rgb", 8, true, 1],
  "rgba.qoi": ["rgb", 8, true, 1],
  "colour.ppm": ["rgb", 8, false, 1],
  "grey.pgm": ["grey", 8, false, 1],
  "bits.pbm": ["grey", 1, false, 1],
  "alpha.pam": ["rgb", 8, true, 1],
  "deep.ff": ["rgb", 16, true, 1],
  "sizes.ico": ["rgb", 8, true, 1],
};

test("every sample has its facts here", () => {
  assert.deepEqual(Object.keys(facts), sampleNames);
});

for (const [name, [colorSpace, bitDepth, hasAlpha, frames]] of Object.entries(facts)) {
  test(`${name} is ${bitDepth} bits ${colorSpace}${hasAlpha ? " with alpha" : ""}, ${frames} frame(s)`, async () => {
    const { type, width, height, ...found } = await inspect(inputs.get(name));
    assert.match(type, /^image\//);
    assert.ok(width > 0 && height > 0);
    const hasIccProfile = name === "wide-gamut.jpg";
    assert.deepEqual(found, { frames, hasAlpha, bitDepth, colorSpace, orientation: 1, hasIccProfile, build: "core" });
  });
}
