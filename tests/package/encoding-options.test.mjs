// `colors`, `dither` and `chroma`, read from the files by sharp, and from the headers of PNG and AVIF.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { decode } from "./support/decode.mjs";
import { encode } from "./support/encode.mjs";
import { expectFailure } from "./support/failure.mjs";
import { glass, paint, photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const api = await createConsumer().import();
const { compress, compressAll, convert, formats, variants } = api;
const picture = photo(160, 120);
const png = await encode(picture, "image/png");
const jpeg = await toSharp(picture).removeAlpha().jpeg({ quality: 99, chromaSubsampling: "4:4:4" }).toBuffer();
const fail = (promise) => expectFailure(api, promise, "OptionsError", "invalid_option");

const codes = ({ warnings }) => warnings.map(({ code }) => code);
const pixels = (data) => Array.from({ length: data.length / 4 }, (_, at) => data.subarray(4 * at, 4 * at + 4).join());
const colorsOf = async (result) => new Set(pixels((await decode(await result.bytes(), result.type)).data)).size;
const chromaOf = async (result) => {
  const bytes = Buffer.from(await result.bytes());
  return result.type === "image/avif" ? chromaOfAvif(bytes) : (await sharp(bytes).metadata()).chromaSubsampling;
};

/** Of the box `av1C`: bits 3 and 2 of its third byte (AV1-ISOBMFF, section 2.3.3). */
function chromaOfAvif(bytes) {
  const flags = bytes[bytes.indexOf("av1C") + 6];
  return { 0: "4:4:4", 2: "4:2:2", 3: "4:2:0" }[(flags >> 2) & 3];
}

test("an output has at most so many colors", async () => {
  for (const input of [png, await encode(glass(96, 64), "image/png")]) {
    for (const to of ["png", "gif"]) {
      for (const colors of [3, 16, 200, 256]) {
        for (const more of [{}, { quality: 50 }, { targetSize: 4000 }, { resize: { maxWidth: 60 } }]) {
          const result = await convert(input, to, { colors, ...more });
          const count = await colorsOf(result);
          assert.ok(count >= 2 && count <= colors, `${to} ${colors} ${JSON.stringify(more)}: ${count} colors`);
          assert.ok(!codes(result).includes("colors_reduced"));
        }
      }
    }
  }
  const scored = await convert(png, "png", { quality: "auto", minScore: 99, colors: 4 });
  assert.ok((await colorsOf(scored)) <= 4);
  assert.deepEqual(codes(scored), ["score_unreached"]);
  // Bit depth and color type of IHDR.
  assert.deepEqual([...(await (await compress(png, { colors: 16 })).bytes()).subarray(24, 26)], [4, 3]);
});

test("frames of an animation have at most so many colors", async () => {
  const result = await compress(await sample("animated.gif"), { colors: 3, resize: { maxWidth: 40 } });
  const { data, info } = await sharp(await result.bytes()).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const colors = new Set(pixels(data).filter((pixel) => !pixel.endsWith(",0")));
  assert.ok(colors.size >= 2 && colors.size <= 3, `${colors.size} colors`);
  assert.equal(info.width, 40);
});

test("dither makes flat areas or mixes colors", async () => {
  const gradient = await encode(paint(256, 64, (x, y) => [x, 255 - x, 2 * y]), "image/png");
  const mixed = async (to, options) => {
    const result = await convert(gradient, to, { colors: 12, ...options });
    const made = pixels((await decode(await result.bytes(), result.type)).data);
    const steps = made.slice(0, 256).filter((color, at) => at > 0 && color !== made[at - 1]).length;
    return { steps, bytes: Buffer.from(await result.bytes()) };
  };
  for (const to of ["png", "gif"]) {
    const [flat, full, usual] = await Promise.all([{ dither: 0 }, { dither: 1 }, {}].map((options) => mixed(to, options)));
    assert.ok(flat.steps < 12, `${to}: ${flat.steps} steps in a row of 12 colors at most`);
    assert.ok(full.steps > 2 * flat.steps, `${to}: ${full.steps} and ${flat.steps}`);
    assert.deepEqual(full.bytes, usual.bytes);
    assert.ok(flat.bytes.length < full.bytes.length);
  }
});

test("chroma has the resolution that is asked for", async () => {
  for (const input of [png, jpeg]) {
    for (const to of ["jpeg", "avif"]) {
      for (const [chroma, expected] of [["444", "4:4:4"], ["420", "4:2:0"]]) {
        for (const more of [{ quality: 50 }, { quality: 95 }, { targetSize: 4000 }, { quality: "auto", minScore: 60 }, { quality: 50, resize: { width: 100 } }]) {
          const result = await convert(input, to, { chroma, effort: 2, ...more });
          assert.equal(await chromaOf(result), expected, `${to} ${chroma} ${JSON.stringify(more)}`);
        }
      }
    }
  }
  const half = await toSharp(picture).removeAlpha().jpeg({ quality: 99 }).toBuffer();
  assert.equal(await chromaOf(await compress(half, { chroma: "444", quality: 60 })), "4:4:4");
  assert.equal(await chromaOf(await compress(half, { quality: 90 })), "4:2:0");
  assert.deepEqual(await (await compress(jpeg, { chroma: "auto" })).bytes(), await (await compress(jpeg)).bytes());
});

test("several outputs and inputs take them", async () => {
  const entries = [{ to: "png", colors: 8, dither: 0 }, { to: "gif", colors: 5 }, { to: "jpeg", chroma: "444", quality: 50 }, { to: "avif", chroma: "444", quality: 50 }];
  const outputs = [];
  for await (const output of variants(png, entries)) outputs[output.index] = output;
  for (const [index, entry] of entries.entries()) assert.deepEqual(await outputs[index].bytes(), await (await compress(png, entry)).bytes(), entry.to);
  const all = await compressAll([png, jpeg, await sample("animated.gif")], { colors: 6, chroma: "420", quality: 70 });
  const [one, two, three] = all.map(({ value }) => value);
  assert.ok((await colorsOf(one)) <= 6);
  assert.equal(await chromaOf(two), "4:2:0");
  const ignored = ({ warnings }) => warnings.filter(({ code }) => code === "option_ignored").map(({ message }) => /`(\w+)`/.exec(message)[1]);
  assert.deepEqual([one, two, three].map(ignored), [["chroma"], ["colors"], ["chroma"]]);
});

test("outputs that have no palette, no chroma or every pixel refuse them", async () => {
  for (const [to, options, name] of [
    ["jpeg", { colors: 16 }, "colors"],
    ["webp", { dither: 0 }, "dither"],
    ["bmp", { colors: 16 }, "colors"],
    ["png", { chroma: "444" }, "chroma"],
    ["webp", { chroma: "420" }, "chroma"],
    ["png", { colors: 16, lossless: true }, "colors"],
    ["avif", { chroma: "444", lossless: true }, "chroma"],
    [undefined, { dither: 1, lossless: true }, "dither"],
  ]) {
    const { message, details } = await fail(compress(png, { to, ...options }));
    assert.equal(details.option, name);
    assert.match(message, new RegExp(`^options\\.${name} has no meaning for .+; leave it out\\.$`));
  }
  const { message } = await fail(compress(png, { chroma: 444 }));
  assert.match(message, /must be "auto", "444" or "420"\.$/);
  assert.match((await fail(compress(png, { chroma: "422" }))).message, /, not "422"\.$/);
});

test("formats() tells which outputs have them", async () => {
  const listed = async (name) => (await formats()).filter((format) => format[name]).map(({ type }) => type).sort();
  assert.deepEqual(await listed("colors"), ["image/gif", "image/png"]);
  assert.deepEqual(await listed("chroma"), ["image/avif", "image/jpeg"]);
});
