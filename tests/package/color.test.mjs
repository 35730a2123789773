// Colors do not shift: results compared with those of sharp (libvips with lcms2) by CIEDE2000.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { decode, over } from "./support/decode.mjs";
import { deltaE, meanDeltaE } from "./support/delta-e.mjs";
import { readWithSharp } from "./support/formats/sharp.mjs";
import { drawing, glass, photo, quarters } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const { convert, inspect } = await createConsumer().import();

/** A mean difference below this is not seen. */
const UNSEEN = 1;

/** The picture upright and in sRGB. */
const shown = async (bytes) => readWithSharp(await sharp(bytes).autoOrient().toColorspace("srgb").png().toBuffer());

/** Asserts that a result shows what sharp makes of `reference`, on white where it is not opaque. */
async function looksLike(input, to, options = {}, reference = input) {
  const result = await convert(input, to, options);
  const bytes = await result.bytes();
  const found = ["image/jpeg", "image/png", "image/webp"].includes(result.type) ? await shown(bytes) : await decode(bytes, result.type);
  const expected = await shown(reference);
  assert.deepEqual([found.width, found.height], [expected.width, expected.height], to);
  const off = meanDeltaE(over(found), over(expected));
  assert.ok(off < UNSEEN, `to ${to}: ${off}`);
  return result;
}

const codes = ({ warnings }) => warnings.map(({ code }) => code);
const lossless = { lossless: true };

test("the published pairs have their differences", () => {
  for (const [one, other, expected] of [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
    [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ]) {
    assert.ok(Math.abs(deltaE(one, other) - expected) < 0.00005, `${one} ${other}`);
    assert.ok(Math.abs(deltaE(other, one) - expected) < 0.00005, `${other} ${one}`);
  }
});

for (let orientation = 1; orientation <= 8; orientation++) {
  test(`a photo with EXIF orientation ${orientation}`, async () => {
    const input = await toSharp(quarters(64, 40)).removeAlpha().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
    for (const [to, options] of [["png", {}], ["webp", lossless], ["jpeg", { quality: 100 }], ["bmp", {}], ["tga", {}]]) {
      await looksLike(input, to, options);
    }
  });
}

test("a photo in Display P3", async () => {
  const input = await sample("wide-gamut.jpg");
  for (const [to, options] of [["bmp", {}], ["qoi", {}], ["tga", {}], ["ppm", {}], ["ff", {}]]) {
    assert.deepEqual(codes(await looksLike(input, to, options)), ["color_converted"]);
  }
  for (const [to, options] of [["png", {}], ["webp", lossless], ["jpeg", { quality: 100 }]]) {
    const result = await looksLike(input, to, options);
    assert.equal((await inspect(result.blob)).hasIccProfile, true, to);
    assert.deepEqual(codes(result), []);
  }
});

test("inks with a profile", async () => {
  const inks = toSharp(photo(160, 104)).removeAlpha().toColorspace("cmyk").withIccProfile("cmyk");
  const input = await inks.jpeg({ quality: 92 }).toBuffer();
  const found = await inspect(input);
  assert.deepEqual([found.colorSpace, found.hasIccProfile, found.build], ["cmyk", true, "core"]);
  for (const [to, options] of [["png", {}], ["webp", lossless], ["jpeg", { quality: 100 }], ["bmp", {}], ["qoi", {}]]) {
    const result = await looksLike(input, to, { ...options, resize: { width: 160 } });
    assert.equal((await inspect(result.blob)).hasIccProfile, false, to);
    assert.deepEqual(codes(result), ["color_converted"]);
  }
});

test("16 bits a channel, without a profile and in Display P3", async () => {
  const deep = await sample("deep.png");
  const wide = await sharp(deep).withIccProfile("p3").toColorspace("rgb16").png().toBuffer();
  // sharp shows 16-bit pixels as they are, whatever their profile: beside what was converted it is given 8 bits of each.
  const { data, info } = await sharp(wide, { ignoreIcc: true }).toColorspace("rgb16").raw({ depth: "ushort" }).toBuffer({ resolveWithObject: true });
  const upper = Buffer.from(new Uint16Array(data.buffer, data.byteOffset, data.length / 2).map((value) => Math.round(value / 257)));
  const shallow = await sharp(upper, { raw: { width: info.width, height: info.height, channels: 3 } }).png().toBuffer();
  const start = wide.indexOf("iCCP") - 4;
  const profile = wide.subarray(start, start + 12 + wide.readUInt32BE(start));
  const reference = Buffer.concat([shallow.subarray(0, 33), profile, shallow.subarray(33)]);
  for (const [input, sameAs] of [[deep, deep], [wide, reference]]) {
    assert.equal((await inspect(input)).bitDepth, 16);
    for (const [to, options] of [["png", {}], ["ppm", {}], ["ff", {}], ["webp", lossless], ["jpeg", { quality: 100 }], ["bmp", {}]]) {
      const result = await looksLike(input, to, options, to === "png" ? input : sameAs);
      if (["png", "ppm", "ff"].includes(to)) assert.equal((await inspect(result.blob)).bitDepth, 16, to);
    }
  }
});

test("a palette with alpha", async () => {
  const input = await toSharp(glass(120, 80)).png({ palette: true, colors: 64, dither: 0 }).toBuffer();
  const found = await inspect(input);
  assert.deepEqual([found.hasAlpha, found.bitDepth], [true, 8]);
  for (const [to, options] of [["png", {}], ["webp", lossless], ["jpeg", { quality: 100 }], ["bmp", {}], ["tga", {}], ["ppm", {}]]) {
    await looksLike(input, to, options);
  }
});

test("gray with alpha", async () => {
  const input = await toSharp(glass(120, 80)).toColorspace("b-w").png().toBuffer();
  const found = await inspect(input);
  assert.deepEqual([found.colorSpace, found.hasAlpha], ["gray", true]);
  for (const [to, options] of [["png", {}], ["webp", lossless], ["jpeg", { quality: 100 }], ["bmp", {}], ["tga", {}], ["ppm", {}]]) {
    await looksLike(input, to, options);
  }
});

/** All frames, one above the other, on white. */
async function frames(bytes) {
  const { data, info } = await sharp(bytes, { pages: -1 }).toColorspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return over({ width: info.width, height: info.height, data: new Uint8Array(data) });
}

for (const from of ["gif", "webp"]) {
  test(`every frame of an animated ${from}`, async () => {
    const pictures = [0, 1, 2].map((shift) => drawing(64 + shift * 13, 48)).map(({ width, data }) => crop(data, width));
    const strip = sharp(Buffer.concat(pictures), { raw: { width: 64, height: 144, channels: 4, pageHeight: 48 } });
    const input = await (from === "gif" ? strip.gif({ delay: [50, 100, 150] }) : strip.webp({ delay: [50, 100, 150], lossless: true })).toBuffer();
    for (const to of ["gif", "webp"]) {
      const result = await convert(input, to, to === "webp" ? lossless : {});
      const [found, expected] = [await frames(Buffer.from(await result.bytes())), await frames(input)];
      assert.deepEqual([found.width, found.height], [64, 144]);
      const off = meanDeltaE(found, expected);
      assert.ok(off < UNSEEN, `to ${to}: ${off}`);
    }
  });
}

/** The last 64 columns of 48 rows. */
function crop(data, width) {
  return Buffer.concat(Array.from({ length: 48 }, (_, y) => data.subarray(((y + 1) * width - 64) * 4, (y + 1) * width * 4)));
}
