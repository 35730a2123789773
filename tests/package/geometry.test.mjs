// Crop, rotation, flip, fit and position, held against sharp's pixels.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const api = await createConsumer().import();
const { compress, convert, decode, formats } = api;

/** RGB samples, by sharp. */
const rgb = async (image) => (await image.removeAlpha().raw().toBuffer()).toString("base64");
const ours = async (input, options) => sharp(await (await convert(input, "png", options)).bytes());

test("crop, rotate and flip give sharp's pixels, also of a photo that EXIF turns", async () => {
  for (const orientation of [1, 3, 6, 8]) {
    const jpeg = await toSharp(photo(120, 80)).removeAlpha().withMetadata({ orientation }).jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer();
    const upright = await (await convert(jpeg, "png")).bytes();
    const crop = { x: 7, y: 11, width: 50, height: 40 };
    const extracted = await sharp(upright).extract({ left: 7, top: 11, width: 50, height: 40 }).png().toBuffer();
    assert.equal(await rgb(await ours(jpeg, { crop })), await rgb(sharp(extracted)), `orientation ${orientation}`);
    assert.equal(await rgb(await ours(jpeg, { crop, rotate: 90 })), await rgb(sharp(extracted).rotate(90)));
    const flipped = await sharp(await sharp(extracted).rotate(270).png().toBuffer()).flop().png().toBuffer();
    assert.equal(await rgb(await ours(jpeg, { crop, rotate: 270, flip: "horizontal" })), await rgb(sharp(flipped)));
  }
});

test("fit gives sharp's sizes", async () => {
  const input = await toSharp(photo(300, 200)).png().toBuffer();
  for (const fit of ["inside", "outside", "cover", "contain", "fill"]) {
    for (const [width, height] of [[90, 90], [64, 200], [301, 17]]) {
      const { info } = await sharp(input).resize({ width, height, fit }).toBuffer({ resolveWithObject: true });
      const made = await compress(input, { resize: { width, height, fit } });
      // A side of 25.5 pixels is rounded up here, and down there.
      const off = Math.max(Math.abs(made.width - info.width), Math.abs(made.height - info.height));
      assert.ok(off <= 1, `${fit} ${width} × ${height}: ${made.width} × ${made.height}, by sharp ${info.width} × ${info.height}`);
    }
  }
});

test("cover keeps what the position names", async () => {
  const upright = await toSharp(photo(300, 200)).removeAlpha().png().toBuffer();
  for (const [position, left] of [["left", 0], ["top right", 100], ["center", 50]]) {
    const made = await ours(upright, { resize: { width: 200, height: 200, fit: "cover", position } });
    assert.equal(await rgb(made), await rgb(sharp(upright).extract({ left, top: 0, width: 200, height: 200 })), position);
  }
});

test("attention and entropy find the same part of a photo, whatever the size", async () => {
  // A square, half red and half blue, on gray: a JPEG that larger outputs are decoded from at another fraction of its size.
  const half = Buffer.alloc(3 * 100, Buffer.from([250, 60, 30]));
  const square = Buffer.alloc(3 * 200 * 200, Buffer.concat([half, Buffer.alloc(3 * 100, Buffer.from([20, 60, 120]))]));
  const jpeg = await sharp({ create: { width: 1600, height: 600, channels: 3, background: "#8a8a8a" } })
    .composite([{ input: square, raw: { width: 200, height: 200, channels: 3 }, left: 1250, top: 200 }])
    .jpeg({ quality: 95 })
    .toBuffer();
  for (const position of ["attention", "entropy"]) {
    for (const side of [500, 90]) {
      const made = await ours(jpeg, { resize: { width: side, height: side, fit: "cover", position } });
      const { channels } = await made.stats();
      // All of the square is there: a ninth of these pixels, and a bit more of the smaller picture.
      assert.ok(channels[0].stdev > 30 && channels[2].stdev > 20, `${position}, ${side} pixels: ${channels[0].stdev}, ${channels[2].stdev}`);
    }
  }
  for (const wrong of [{ width: 9, height: 9, position: "attention" }, { width: 9, height: 9, fit: "contain", position: "entropy" }]) {
    const { details } = await expectFailure(api, compress(jpeg, { resize: wrong }), "OptionsError", "invalid_option");
    assert.equal(details.option, "resize.position");
  }
});

test("contain pads as sharp does, at each position and with each background", async () => {
  const upright = await toSharp(photo(300, 200)).removeAlpha().png().toBuffer();
  const places = { center: "center", top: "top", bottom: "bottom", "top left": "left top", "bottom right": "right bottom" };
  for (const [position, gravity] of Object.entries(places)) {
    for (const [background, color] of [["#369", "#336699"], [undefined, { r: 0, g: 0, b: 0, alpha: 0 }]]) {
      // The width stays, so that pixels are only added.
      const made = sharp(await (await convert(upright, "png", { resize: { width: 300, height: 301, fit: "contain", position }, background })).bytes());
      const padded = sharp(upright).ensureAlpha().resize({ width: 300, height: 301, fit: "contain", position: gravity, background: color });
      const rgba = async (image) => (await image.ensureAlpha().raw().toBuffer()).toString("base64");
      assert.equal(await rgba(made), await rgba(sharp(await padded.png().toBuffer())), `${position} ${background}`);
    }
  }
});

test("contain makes exactly the box in every format, white where nothing can be transparent", async () => {
  const input = await toSharp(photo(60, 40)).removeAlpha().png().toBuffer();
  for (const { type, vector, write } of await formats()) {
    if (vector || !write) continue;
    const made = await convert(input, type, { resize: { width: 50, height: 70, fit: "contain" } });
    assert.deepEqual([made.width, made.height], [50, 70], type);
    const { data } = await decode(await made.bytes());
    const corner = [...data.subarray(0, 4)];
    const expected = corner[3] === 255 ? [255, 255, 255, 255] : [0, 0, 0, 0];
    if (corner[3] === 0) corner.fill(0);
    assert.ok(corner.every((level, at) => Math.abs(level - expected[at]) <= 6), `${type}: ${corner}`);
  }
});

test("a JPEG is padded in the photo build; transparent padding of a WebP takes the core build", async () => {
  const jpeg = await sample("baseline.jpg");
  // So high that no block at the corner reaches the picture.
  const contain = { width: 90, height: 180, fit: "contain" };
  const white = await compress(jpeg, { resize: contain });
  assert.deepEqual([...(await decode(await white.bytes())).data.subarray(0, 4)].map((level) => level > 250), [true, true, true, true]);
  const clear = await convert(jpeg, "webp", { resize: contain });
  assert.equal((await decode(await clear.bytes())).data[3], 0);
  const blue = await convert(jpeg, "webp", { resize: contain, background: "#369" });
  assert.equal((await sharp(await blue.bytes()).metadata()).hasAlpha, false);
});

test("decode crops and turns", async () => {
  const { data, width, height } = await decode(await sample("baseline.jpg"), { crop: { width: "50%", height: "25%" }, rotate: 90 });
  assert.deepEqual([width, height, data.length], [26, 80, 4 * 26 * 80]);
});

test("a crop that is not within the image is refused with the size of the image", async () => {
  const { details } = await expectFailure(api, compress(await sample("baseline.jpg"), { crop: { x: 100, width: 61 } }), "OptionsError", "invalid_option");
  assert.deepEqual(details, { option: "crop", width: 160, height: 104 });
});

test("a JPEG is cropped without loss at blocks, and otherwise says where it could be", async () => {
  const jpeg = await toSharp(photo(160, 96)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
  const crop = { x: 20, y: 17, width: 50, height: 40 };
  const { details } = await expectFailure(api, compress(jpeg, { lossless: true, crop }), "OptionsError", "lossless_unsupported");
  assert.deepEqual(details, { x: 16, y: 16, width: 54, height: 41 });
  const made = await compress(jpeg, { lossless: true, crop: details });
  assert.deepEqual([made.type, made.width, made.height], ["image/jpeg", 54, 41]);
  // What upsampling of chroma takes from beyond the new edges differs; the middle does not.
  const inner = { left: 8, top: 8, width: 38, height: 25 };
  const before = await rgb(sharp(jpeg).extract({ ...inner, left: 24, top: 24 }));
  assert.equal(await rgb(sharp(await made.bytes()).extract(inner)), before);
});
