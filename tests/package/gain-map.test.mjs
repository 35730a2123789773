// Gain maps of HDR photos, read and rendered by libultrahdr (in sharp): an output shows the light of the input, whatever is done to it.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { withGainMap } from "./support/formats/gain-map.mjs";

const { compress, convert, inspect } = await createConsumer().import();
const [WIDTH, HEIGHT] = [320, 240];

/** The samples of a smooth picture. */
function samples(width, height, channels, at) {
  const out = Buffer.alloc(width * height * channels);
  for (let index = 0; index < out.length; index += 1) {
    const pixel = Math.floor(index / channels);
    out[index] = at(((pixel % width) + 0.5) / width, (Math.floor(pixel / width) + 0.5) / height, index % channels);
  }
  return sharp(out, { raw: { width, height, channels } });
}

const color = (x, y, channel) => 140 + 60 * Math.sin(6 * x + 4 * y + channel);
const gain = (x, y) => 255 * (0.5 + 0.3 * Math.sin(5 * x) + 0.2 * Math.cos(9 * y + 2 * x));
const picture = await samples(WIDTH, HEIGHT, 3, color).jpeg({ quality: 97, chromaSubsampling: "4:4:4" }).toBuffer();
const map = await samples(WIDTH / 4, HEIGHT / 4, 1, gain).toColourspace("b-w").jpeg({ quality: 97 }).toBuffer();
const kinds = { "Ultra HDR": { xmp: true }, "ISO 21496-1": { iso: true }, both: { xmp: true, iso: true } };

/** What libultrahdr shows on an HDR display: `{ width, height, light }`, three numbers a pixel. */
async function render(file) {
  const pixels = sharp(file).withGainMap().toColourspace("scrgb").raw({ depth: "float" });
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true });
  assert.equal(info.channels, 3);
  const light = new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  assert.ok(light.some((value) => value > 1.5), "no light is brighter than white: the map was not applied");
  return { width: info.width, height: info.height, light };
}

const make = (width, height, from) => {
  const light = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) light.set(from(x, y), (y * width + x) * 3);
  return { width, height, light };
};
const pixel = ({ width, light }, x, y) => light.subarray((y * width + x) * 3, (y * width + x) * 3 + 3);
const cut = (all, left, top, width, height) => make(width, height, (x, y) => pixel(all, left + x, top + y));
const turn = (all) => make(all.height, all.width, (x, y) => pixel(all, y, all.height - 1 - x));
const mirror = (all) => make(all.width, all.height, (x, y) => pixel(all, all.width - 1 - x, y));
const halve = (all) =>
  make(all.width / 2, all.height / 2, (x, y) => {
    const four = [[0, 0], [1, 0], [0, 1], [1, 1]].map(([right, down]) => pixel(all, 2 * x + right, 2 * y + down));
    return [0, 1, 2].map((channel) => four.reduce((sum, one) => sum + one[channel], 0) / 4);
  });

/** The mean difference of two pictures, as a share of the mean light. */
function difference(one, other) {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  const sum = (light) => light.reduce((all, value) => all + value, 0);
  return sum(one.light.map((value, index) => Math.abs(value - other.light[index]))) / sum(other.light);
}

const edits = [
  [{ quality: 90 }, (all) => all],
  [{ quality: 94, metadata: "strip" }, (all) => all],
  [{ resize: { width: WIDTH / 2 } }, halve],
  [{ rotate: 90 }, turn],
  [{ flip: "horizontal" }, mirror],
  [{ crop: { x: 37, y: 21, width: 150, height: 101 } }, (all) => cut(all, 37, 21, 150, 101)],
  [{ crop: { x: 37, y: 21, width: 150, height: 101 }, rotate: 90, flip: "horizontal" }, (all) => mirror(turn(cut(all, 37, 21, 150, 101)))],
  [{ resize: { width: 80, height: 120, fit: "cover", position: "left" } }, (all) => halve(cut(all, 0, 0, 160, 240))],
  [{ targetSize: 9000 }, (all) => all],
  [{ lossless: true, hdr: undefined }, (all) => all],
  [{ lossless: true, rotate: 90 }, turn],
];

for (const [kind, described] of Object.entries(kinds)) {
  test(`${kind}: libultrahdr reads the map of the output, and shows the same light`, async () => {
    const input = withGainMap(picture, map, described);
    const light = await render(input);
    for (const [options, edit] of edits) {
      const name = JSON.stringify(options);
      const quality = options.targetSize || options.lossless ? undefined : 98;
      const result = await compress(input, { hdr: "keep", quality, ...options });
      assert.deepEqual(result.warnings.map(({ code }) => code).filter((code) => code !== "larger_than_input"), [], name);
      const file = Buffer.from(await result.bytes());
      const { gainMap, width, height } = await sharp(file).metadata();
      const own = await sharp(gainMap.image).metadata();
      assert.ok(Math.abs(own.width / own.height / (width / height) - 1) < 0.004, `${name}: ${own.width} × ${own.height}`);
      const found = difference(await render(file), edit(light));
      assert.ok(found < 0.01, `${name}: ${(found * 100).toFixed(2)} %`);
      assert.equal((await inspect(file)).hasGainMap, true, name);
      const text = file.toString("latin1");
      assert.equal(text.includes("hdr-gain-map"), described.xmp === true, name);
      assert.equal(text.includes("urn:iso:std:iso:ts:21496:-1"), described.iso === true, name);
    }
  });
}

test("of a low quality, the map costs little light beside what the picture loses", async () => {
  const input = withGainMap(picture, map, kinds.both);
  for (const quality of [10, 40, 60, 80]) {
    const standard = await compress(input, { quality });
    const expected = await render(withGainMap(Buffer.from(await standard.bytes()), map, kinds.both));
    const kept = await compress(input, { quality, hdr: "keep" });
    const found = difference(await render(Buffer.from(await kept.bytes())), expected);
    assert.ok(found < 0.01, `${quality}: ${(found * 100).toFixed(2)} %`);
  }
});

test("an AVIF has the map as well, and other readers show its picture", async () => {
  const input = withGainMap(picture, map, kinds.both);
  const plain = Buffer.from(await (await convert(input, "avif")).bytes());
  const kept = await convert(input, "avif", { hdr: "keep" });
  assert.deepEqual(kept.warnings, []);
  const file = Buffer.from(await kept.bytes());
  assert.equal((await inspect(file)).hasGainMap, true);
  assert.equal((await inspect(plain)).hasGainMap, false);
  assert.deepEqual(await sharp(file).raw().toBuffer(), await sharp(plain).raw().toBuffer());
  const [[code]] = (await compress(file, { resize: { width: 100 } })).warnings.map((warning) => [warning.code]);
  assert.equal(code, "gain_map_dropped");
});

test("without hdr: \"keep\", and where it cannot be kept, the map is dropped with a warning", async () => {
  const input = withGainMap(picture, map, kinds.both);
  const codes = async (result) => (await result).warnings.map(({ code, message }) => [code, message]);
  const plain = [["gain_map_dropped", "The HDR gain map was dropped; the output is the standard image."]];
  assert.deepEqual(await codes(compress(input, { quality: 50 })), plain);
  assert.deepEqual(await codes(compress(input, { quality: 50, hdr: "drop" })), plain);
  for (const to of ["webp", "png"]) {
    const [[code, message], ...others] = await codes(convert(input, to, { hdr: "keep" }));
    assert.deepEqual([code, others], ["gain_map_dropped", []], to);
    assert.match(message, /only JPEG to JPEG or AVIF/, to);
  }
  const padded = compress(input, { hdr: "keep", resize: { width: 90, height: 90, fit: "contain" } });
  assert.match((await codes(padded))[0][1], /padded/);
});
