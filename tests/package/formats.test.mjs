// Every input format, compared with another decoder, and the result of formats(). matrix.test.mjs covers output
// formats.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { decode, difference, over } from "./support/decode.mjs";
import { photo } from "./support/pictures.mjs";
import { samples } from "./support/samples.mjs";

const { compress, convert, formats, inspect } = await createConsumer().import();
const inputs = await samples([96, 64]);
const types = await formats();

/** The type of each sample, by its name. */
const typeOf = (name) => types.find(({ extensions }) => extensions.includes(name.split(".")[1])).type;

/** How far off another decoder may be, as a mean over all channels, 0..255; where not named, by rounding alone. */
const tolerance = {
  // Without a profile, sharp takes CMYK for another ink than filepress does; inverted, it would be 100 off.
  "cmyk.jpg": 22,
  "inks.tiff": 22,
  // Chroma of half the size is scaled up softly here, and by repetition there.
  "deep.avif": 1.5,
  "photo.tiff": 1.5,
  "drawn.svg": 1,
  "clear.svg": 1,
};
/** Text is drawn in the font that is at hand, and light brighter than white made darker in a way of one's own. */
const ownLook = new Set(["written.svg", "bright.hdr"]);

test("formats() lists the types of servers and what is read and written here", () => {
  assert.equal(types.length, 41);
  assert.equal(new Set(types.map(({ type }) => type)).size, 41);
  const local = (build) => types.filter((format) => format.engine === "local" && format.build === build).map(({ type }) => type.replace("image/", "")).sort();
  assert.deepEqual(local("core"), ["bmp", "gif", "jpeg", "png", "qoi", "webp", "x-farbfeld", "x-icon", "x-portable-anymap", "x-tga"]);
  assert.deepEqual(local("full"), ["avif", "svg+xml", "tiff", "vnd.ms-dds", "vnd.radiance", "x-exr"]);
  assert.deepEqual(local("jxl"), ["jxl"]);
  for (const format of types) {
    assert.ok(format.extensions.length > 0 && format.extensions.every((extension) => /^[a-z0-9]+$/.test(extension)), format.type);
    const here = format.class === "image" && format.name !== "HEIC";
    const written = here && format.name !== "JPEG XL";
    assert.deepEqual([format.engine, format.read, format.write, format.build !== null], [here ? "local" : "remote", here, written, here], format.type);
    const { type, name, extensions, class: kind, read, write, engine, build, maxSide, metadata, ...encodings } = format;
    assert.ok(Object.values(encodings).every((value) => typeof value === "boolean"), type);
    assert.equal(Number.isSafeInteger(maxSide), written, type);
    if (!written) assert.deepEqual([metadata, Object.values(encodings).includes(true), maxSide], [[], false, null], type);
  }
});

test("README.md names the number of image formats", () => {
  const [, count] = /The codecs of \[(\d+) image formats\]/.exec(readFileSync(new URL("../../README.md", import.meta.url), "utf8"));
  assert.equal(Number(count), types.filter(({ engine, read }) => engine === "local" && read).length);
});

test("formats() hands out its own copy", async () => {
  types[0].extensions.push("mine");
  assert.ok(!(await formats())[0].extensions.includes("mine"));
  types[0].extensions.pop();
});

for (const [name, bytes] of inputs) {
  test(`${name} is read as another decoder reads it`, async () => {
    const type = typeOf(name);
    const { width, height, ...found } = await inspect(bytes);
    assert.equal(found.type, type);
    // sharp takes numbers of floating point for light, which those who write them seldom mean.
    const original = name === "float.tiff" ? photo(96, 64) : await decode(bytes, type);
    assert.deepEqual([width, height], [original.width, original.height]);
    const result = await convert(bytes, "png");
    assert.deepEqual([result.inputType, result.inputWidth, result.inputHeight], [type, width, height]);
    assert.deepEqual([result.width, result.height], [width, height]);
    if (ownLook.has(name)) return;
    const picture = await decode(await result.bytes(), "image/png");
    const allowed = tolerance[name] ?? 0.6;
    for (const background of [[255, 255, 255], [0, 0, 0]]) {
      const off = difference(over(original, background), over(picture, background));
      assert.ok(off <= allowed, `the picture is ${off} off, allowed ${allowed}`);
    }
  });
}

test("compress without options keeps the type and never grows the file", async () => {
  for (const [name, bytes] of inputs) {
    const result = await compress(bytes);
    assert.equal(result.type, typeOf(name));
    assert.ok(result.outputSize <= bytes.length, `${name}: ${result.outputSize} of ${bytes.length}`);
    // What metadata there is besides the pixels may be gone.
    if (result.keptOriginal) assert.deepEqual(await decode(await result.bytes(), result.type), await decode(bytes, result.type), name);
  }
});

test("the planner gets as many bytes as recognition may need", () => {
  const [, needed] = /pub const SNIFF_BYTES: usize = ([\d_]+);/.exec(readFileSync(new URL("../../wire/src/sniff/mod.rs", import.meta.url), "utf8"));
  const [, factors] = /const SNIFF_BYTES = ([\d *]+);/.exec(readFileSync(new URL("../../pkg-template/lib/input.js", import.meta.url), "utf8"));
  assert.equal(factors.split("*").reduce((product, factor) => product * Number(factor), 1), Number(needed.replaceAll("_", "")));
});
