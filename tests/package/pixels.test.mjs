// Orientation, size, background and colors of results, compared with sharp.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { decode, difference, over, pixelAt } from "./support/decode.mjs";
import { readWithSharp } from "./support/formats/sharp.mjs";
import { glass, paint, photo, quarters } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const { compress, convert, inspect } = await createConsumer().import();

/** The picture of a result, beside what sharp makes of the same input. */
async function beside(result, pipeline) {
  const picture = await decode(await result.bytes(), result.type);
  assert.deepEqual([result.width, result.height], [picture.width, picture.height]);
  return difference(picture, await readWithSharp(await pipeline.png().toBuffer()));
}

const writers = { jpeg: (pipeline) => pipeline.jpeg({ quality: 95 }), png: (pipeline) => pipeline.png(), webp: (pipeline) => pipeline.webp({ lossless: true }) };

for (const [type, write] of Object.entries(writers)) {
  for (let orientation = 1; orientation <= 8; orientation++) {
    test(`${type} with EXIF orientation ${orientation} comes out upright, once`, async () => {
      const turned = await write(toSharp(quarters(64, 40)).removeAlpha().withMetadata({ orientation })).toBuffer();
      const upright = sharp(turned).autoOrient();
      const [width, height] = orientation > 4 ? [40, 64] : [64, 40];
      const found = await inspect(turned);
      assert.deepEqual([found.orientation, found.width, found.height], [orientation, width, height]);

      for (const options of [{ to: "bmp" }, { to: "bmp", metadata: "keep" }, { to: "qoi" }, { to: type === "webp" ? "png" : "webp", lossless: true, metadata: "keep" }]) {
        const result = await compress(turned, options);
        assert.deepEqual([result.width, result.height], [width, height]);
        assert.ok((await beside(result, upright.clone())) < 1, JSON.stringify(options));
        assert.equal((await inspect(result.blob)).orientation, 1);
      }
      const halved = await convert(turned, "png", { resize: { width: width / 2 } });
      assert.deepEqual([halved.width, halved.height], [width / 2, height / 2]);
      assert.ok((await beside(halved, upright.clone().resize(width / 2))) < 3, "resized");
    });
  }
}

test("coded pixels that are kept keep their orientation too", async () => {
  const turned = await toSharp(quarters(64, 40)).removeAlpha().withMetadata({ orientation: 6 }).jpeg({ quality: 20 }).toBuffer();
  for (const options of [{ lossless: true }, { lossless: true, metadata: "keep" }, { lossless: true, metadata: "strip" }, { quality: 100 }]) {
    const result = await compress(turned, options);
    const bytes = await result.bytes();
    const upright = await readWithSharp(await sharp(bytes).autoOrient().png().toBuffer());
    assert.deepEqual([result.width, result.height], [40, 64], JSON.stringify(options));
    assert.ok(difference(upright, await readWithSharp(await sharp(turned).autoOrient().png().toBuffer())) < 2, JSON.stringify(options));
  }
});

// The source has 150 × 100 pixels.
const resizes = [
  [{ width: 75 }, [75, 50], { width: 75 }],
  [{ height: 40 }, [60, 40], { height: 40 }],
  [{ width: 60, height: 80 }, [60, 80], { width: 60, height: 80, fit: "fill" }],
  [{ width: 60, height: 80, fit: "fill" }, [60, 80], { width: 60, height: 80, fit: "fill" }],
  [{ width: 60, height: 60, fit: "inside" }, [60, 40], { width: 60, height: 60, fit: "inside" }],
  [{ width: 50, height: 60, fit: "cover" }, [50, 60], { width: 50, height: 60, fit: "cover" }],
  [{ width: 120, height: 30, fit: "cover" }, [120, 30], { width: 120, height: 30, fit: "cover" }],
  [{ width: 300 }, [300, 200], { width: 300 }],
  [{ maxWidth: 90 }, [90, 60], { width: 90 }],
  [{ maxWidth: 900, maxHeight: 20 }, [30, 20], { height: 20 }],
  [{ maxWidth: 900, maxHeight: 900 }, [150, 100], {}],
  [{ width: 140, maxHeight: 50 }, [75, 50], { width: 75 }],
  [{ width: 1, height: 1 }, [1, 1], { width: 1, height: 1, fit: "fill" }],
];

test("resize gives the size that was asked for, and sharp's picture", async () => {
  const input = await toSharp(photo(150, 100)).removeAlpha().png().toBuffer();
  for (const [resize, size, same] of resizes) {
    const result = await compress(input, { resize });
    assert.deepEqual([result.width, result.height], size, JSON.stringify(resize));
    const off = await beside(result, size[0] === 150 ? sharp(input) : sharp(input).resize({ ...same, kernel: "lanczos3" }));
    assert.ok(off < 3, `${JSON.stringify(resize)}: ${off} off`);
  }
});

test("clear pixels do not bleed into their neighbors when resized", async () => {
  const picture = paint(64, 64, (x) => (x < 32 ? [255, 0, 0, 255] : [0, 255, 0, 0]));
  const result = await compress(await toSharp(picture).png().toBuffer(), { resize: { width: 24 } });
  const { data } = over(await decode(await result.bytes(), result.type), [0, 0, 0]);
  assert.ok(Math.max(...data.filter((_, index) => index % 4 === 1)) <= 4);
});

test("transparency falls on the background, white unless another is given", async () => {
  const input = await toSharp(glass(80, 60)).png().toBuffer();
  for (const [background, color] of [[undefined, [255, 255, 255]], ["white", [255, 255, 255]], ["black", [0, 0, 0]], ["#369", [51, 102, 153]], ["#C0ffee", [192, 255, 238]]]) {
    const result = await convert(input, "jpeg", { quality: 95, background });
    assert.ok(result.warnings.some(({ code }) => code === "alpha_flattened"), "alpha_flattened");
    const [red, green, blue] = color;
    assert.ok((await beside(result, sharp(input).flatten({ background: { r: red, g: green, b: blue } }))) < 3, background);
    const corner = pixelAt(await decode(await result.bytes(), result.type), 0.02, 0.5);
    assert.ok(color.every((value, channel) => Math.abs(value - corner[channel]) < 8), `${background}: ${corner}`);
  }
  assert.deepEqual((await convert(input, "webp", { background: "black" })).warnings.filter(({ code }) => code === "alpha_flattened"), []);
});

test("colors stay where they are: a wide-gamut profile is kept, or its pixels are converted", async () => {
  const input = await sample("wide-gamut.jpg");
  for (const to of ["jpeg", "png", "webp", "gif", "bmp", "qoi", "tga"]) {
    const result = await convert(input, to, to === "webp" ? { lossless: true } : {});
    assert.equal((await inspect(result.blob)).hasIccProfile, ["jpeg", "png", "webp"].includes(to), to);
    const off = await beside(result, sharp(input).toColorspace("srgb"));
    assert.ok(off < (to === "gif" ? 6 : 4), `${to}: ${off} off`);
  }
});

test("lossless means lossless", async () => {
  const input = await toSharp(glass(90, 70)).png().toBuffer();
  const original = await readWithSharp(input);
  for (const [to, options] of [["png", {}], ["png", { lossless: true }], ["webp", { lossless: true }], ["qoi", {}], ["tga", {}], ["farbfeld", {}]]) {
    const result = await convert(input, to, options);
    const picture = await decode(await result.bytes(), result.type);
    assert.equal(difference(over(picture), over(original)), 0, to);
    assert.deepEqual(picture.data.filter((_, index) => index % 4 === 3), original.data.filter((_, index) => index % 4 === 3), to);
  }
  const jpeg = await sample("baseline.jpg");
  const recoded = await compress(jpeg, { lossless: true });
  assert.ok(recoded.outputSize < jpeg.length);
  assert.equal(difference(await readWithSharp(Buffer.from(await recoded.bytes())), await readWithSharp(jpeg)), 0);
});
