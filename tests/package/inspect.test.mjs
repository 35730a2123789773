// The result of inspect() for each sample.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { coreSampleNames, sampleNames, samples } from "./support/samples.mjs";

const { inspect } = await createConsumer().import();
const inputs = await samples([96, 64]);

/** [colorSpace, bitDepth, hasAlpha, frames] of each sample. */
const facts = {
  "baseline.jpg": ["ycbcr", 8, false, 1],
  "progressive.jpg": ["ycbcr", 8, false, 1],
  "gray.jpg": ["gray", 8, false, 1],
  "cmyk.jpg": ["cmyk", 8, false, 1],
  "wide-gamut.jpg": ["ycbcr", 8, false, 1],
  "rgb.png": ["rgb", 8, false, 1],
  "rgba.png": ["rgb", 8, true, 1],
  "palette.png": ["rgb", 8, false, 1],
  "gray.png": ["gray", 8, false, 1],
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
  "color.ppm": ["rgb", 8, false, 1],
  "gray.pgm": ["gray", 8, false, 1],
  "bits.pbm": ["gray", 1, false, 1],
  "alpha.pam": ["rgb", 8, true, 1],
  "deep.ff": ["rgb", 16, true, 1],
  "sizes.ico": ["rgb", 8, true, 1],
  "lossy.avif": ["ycbcr", 8, false, 1],
  "alpha.avif": ["ycbcr", 8, true, 1],
  "deep.avif": ["ycbcr", 12, false, 1],
  "deflated.tiff": ["rgb", 8, false, 1],
  "alpha.tiff": ["rgb", 8, true, 1],
  "deep.tiff": ["rgb", 16, false, 1],
  "float.tiff": ["rgb", 32, false, 1],
  "gray.tiff": ["gray", 8, false, 1],
  "bits.tiff": ["gray", 1, false, 1],
  "photo.tiff": ["ycbcr", 8, false, 1],
  "inks.tiff": ["cmyk", 8, false, 1],
  "tiles.tiff": ["rgb", 8, false, 1],
  "pages.tiff": ["rgb", 8, false, 3],
  "plain.exr": ["rgb", 16, true, 1],
  "alpha.exr": ["rgb", 16, true, 1],
  "wavelets.exr": ["rgb", 16, true, 1],
  "coded.hdr": ["rgb", 32, false, 1],
  "bright.hdr": ["rgb", 32, false, 1],
  "plain.dds": ["rgb", 8, false, 1],
  "alpha.dds": ["rgb", 8, true, 1],
  "blocks.dds": ["rgb", 8, true, 1],
  "alpha-blocks.dds": ["rgb", 8, true, 1],
  "drawn.svg": ["rgb", 8, true, 1],
  "clear.svg": ["rgb", 8, true, 1],
  "written.svg": ["rgb", 8, true, 1],
};

test("every sample has its facts here", () => {
  assert.deepEqual(Object.keys(facts), sampleNames);
});

for (const [name, [colorSpace, bitDepth, hasAlpha, frames]] of Object.entries(facts)) {
  test(`${name} is ${bitDepth} bits ${colorSpace}${hasAlpha ? " with alpha" : ""}, ${frames} frame(s)`, async () => {
    const { type, width, height, quality, ...found } = await inspect(inputs.get(name));
    assert.match(type, /^image\//);
    assert.ok(width > 0 && height > 0);
    const hasIccProfile = name === "wide-gamut.jpg";
    const build = coreSampleNames.includes(name) ? "core" : "full";
    const isAnimated = name.startsWith("animated");
    assert.deepEqual(found, { frames, hasAlpha, bitDepth, colorSpace, orientation: 1, hasIccProfile, isAnimated, hasGainMap: false, hasGps: false, build });
    assert.equal(quality !== undefined, name.endsWith(".jpg"));
  });
}

test("a header is enough", async () => {
  // Types whose header may stand behind the pixels or names where they end, or that are one text.
  const whole = /\.(tiff|svg|ico)$/;
  const cut = sampleNames.filter((name) => !whole.test(name));
  assert.ok(cut.length >= 30);
  for (const name of cut) {
    const bytes = inputs.get(name);
    const found = await inspect(bytes.subarray(0, Math.ceil(bytes.length * 0.7)));
    const all = await inspect(bytes);
    // Frames are counted as far as they are there.
    assert.deepEqual({ ...found, frames: all.frames }, all, name);
  }
});
