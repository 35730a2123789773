// What README.md and the types promise, over the corpus and the options by pairs: the original comes back if nothing is
// gained, sizes and limits hold, animations stay, lossless results have the same pixels, and metadata is removed.
import { strict as assert } from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { env } from "node:process";
import { test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { createRandom, scaled } from "../package/support/scale.mjs";
import { pairwise } from "./pairs.mjs";

assert.ok(env.CORPUS, "CORPUS names the folder of the corpus");
const corpus = join(env.CORPUS, "image-rs");
const refused = readFileSync(new URL("./refused.txt", import.meta.url), "utf8");

const { compress, decode, formats, inspect, FilepressError } = await createConsumer().import();
const types = await formats();

/** AVIF, whose calls take longest, is only asked of small pictures. */
const FACTORS = {
  to: [undefined, "jpeg", "png", "webp", "gif", "bmp", "tiff", "qoi", "ico", "avif"],
  resize: [undefined, { maxWidth: 40 }, { width: 33, height: 21, fit: "cover" }, { width: 64 }, { maxWidth: 16383, maxHeight: 16383 }],
  quality: [undefined, 30, 80, 95],
  targetSize: [undefined, 700, 5000],
  metadata: [undefined, "keep", "strip"],
  effort: [undefined, 0, 7],
  lossless: [undefined, true],
  animation: [undefined, "first"],
  background: [undefined, "#123"],
};
const [MOST_PIXELS, MOST_PIXELS_AVIF] = [300_000, 20_000];
const PLANTED = "planted by the test";

/** The files that decode: `{ name, bytes, inspection }`. */
async function pictures() {
  const found = [];
  for (const folder of ["images", "reference"]) {
    for (const entry of readdirSync(join(corpus, folder), { recursive: true })) {
      const name = join(folder, entry);
      if (!types.some(({ extensions, read }) => read && extensions.includes(extname(name).slice(1).toLowerCase())) || refused.includes(`${name}:`)) continue;
      const bytes = plant(new Uint8Array(readFileSync(join(corpus, name))));
      const inspection = await inspect(new File([bytes], entry)).catch(() => undefined);
      if (inspection && inspection.width * inspection.height <= MOST_PIXELS) found.push({ name, bytes, inspection });
    }
  }
  return found;
}

/** Puts a comment into a JPEG or a PNG. */
function plant(bytes) {
  const text = new TextEncoder().encode(`Comment\0${PLANTED}`);
  const insert = (at, ...parts) => new Uint8Array(Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]));
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return insert(2, Buffer.from([0xff, 0xfe, 0, text.length + 2]), text);
  if (bytes[0] !== 0x89 || bytes[1] !== 0x50) return bytes;
  const chunk = Buffer.concat([Buffer.from("tEXt"), text]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(text.length);
  check.writeUInt32BE(crc32(chunk));
  return insert(33, length, chunk, check);
}

/** CRC-32 of PNG (ISO/IEC 15948, annex D). */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** The broken promises of a call. */
async function broken({ bytes, name, inspection }, options) {
  const file = new File([bytes], name.split("/").at(-1));
  let result;
  try {
    result = await compress(file, options);
  } catch (error) {
    return refusal(error, options);
  }
  const output = await result.bytes();
  const made = await inspect(result.blob);
  const has = (...codes) => result.warnings.some(({ code }) => codes.includes(code));
  const isSameSize = result.width === inspection.width && result.height === inspection.height;
  const isSameType = result.type === inspection.type;
  const keepsFrames = made.frames === inspection.frames;
  const { resize = {}, targetSize, metadata, lossless, animation, quality } = options;
  const isAnimated = inspection.frames > 1 && ["image/gif", "image/webp", "image/png"].includes(inspection.type);
  const resized = Object.keys(resize).length > 0 && !(resize.maxWidth === 16383);
  const promises = {
    "the type is the one asked for": result.type === (options.to ? typeOf(options.to) : inspection.type) && made.type === result.type && result.blob.type === result.type,
    "the facts are those of the output": output.length === result.outputSize && made.width === result.width && made.height === result.height,
    "a call that gains nothing gives the original back": !(isSameType && isSameSize && keepsFrames) || result.outputSize <= bytes.length,
    "a kept original has the original's type and size": !result.keptOriginal || (isSameType && isSameSize),
    "a larger file of the same type is told": !isSameType || result.outputSize <= bytes.length || has("larger_than_input", "animation_dropped", "pages_dropped"),
    "the target size holds": !targetSize || result.outputSize <= targetSize,
    "the longest side holds": !resize.maxWidth || result.width <= resize.maxWidth,
    "a size is exact": !resize.fit || (result.width === 33 && result.height === 21) || has("resized_to_fit"),
    "without `resize` the size stays": resized || isSameSize || has("resized_to_fit"),
    "an animation stays, or the result says that it does not": !isAnimated || made.frames > 1 || animation === "first" || has("animation_dropped"),
    "comments are removed": (metadata === "keep" && result.keptOriginal) || !Buffer.from(output).includes(PLANTED),
    // Pixels that are not encoded again are turned by EXIF.
    "metadata: the profile alone is kept": metadata !== "strip" || (inspection.orientation !== 1 && (lossless || result.keptOriginal)) || !/Exif\0|http:\/\/ns.adobe.com\/xap/.test(Buffer.from(output).toString("latin1")),
    "lossless keeps every pixel": await keepsPixels(),
  };
  return Object.entries(promises).filter(([, holds]) => !holds).map(([promise]) => promise);

  async function keepsPixels() {
    const isLossless = lossless || (["image/png", "image/bmp", "image/qoi", "image/tiff"].includes(result.type) && quality === undefined && targetSize === undefined);
    if (!isLossless || !isSameSize || resized || result.warnings.some(({ code }) => code !== "option_ignored")) return true;
    // The profile of an image with more bits is applied before or after rounding.
    const tolerance = inspection.bitDepth > 8 && inspection.hasIccProfile ? 1 : 0;
    const [before, after] = [await decode(new Blob([bytes])), await decode(result.blob)];
    for (let at = 0; at < before.data.length; at += 4) {
      const isVisible = before.data[at + 3] > 0 || after.data[at + 3] > 0;
      if (isVisible && [0, 1, 2, 3].some((channel) => Math.abs(before.data[at + channel] - after.data[at + channel]) > tolerance)) return false;
    }
    return true;
  }
}

const typeOf = (extension) => types.find(({ extensions }) => extensions.includes(extension)).type;

/** A picture that decodes is only refused because of an option, and by the code that tells which. */
function refusal(error, { lossless, targetSize }) {
  const isAllowed = error instanceof FilepressError && ((error.code === "lossless_unsupported" && lossless) || (error.code === "target_unreachable" && targetSize));
  return isAllowed ? [] : [`refused: ${error.code ?? error}: ${error.message}`];
}

test("the promises hold over the corpus and all pairs of options", async () => {
  const random = createRandom(21);
  const rows = pairwise(FACTORS, random);
  const files = await pictures();
  assert.ok(files.length >= 300, `${files.length} files`);
  const [faults, used] = [[], new Set()];
  let calls = 0;
  for (const [index, file] of files.entries()) {
    const { width, height } = file.inspection;
    const isSmall = width * height <= MOST_PIXELS_AVIF;
    for (let step = 0; step < scaled(rows.length); step++) {
      const at = (index * scaled(rows.length) + step) % rows.length;
      if ((rows[at].to ?? extname(file.name).slice(1)) === "avif" && !isSmall) continue;
      const broke = await broken(file, rows[at]);
      faults.push(...broke.map((promise) => `${file.name} ${JSON.stringify(rows[at])}: ${promise}`));
      used.add(at);
      calls += 1;
    }
  }
  console.log(`promises: ${files.length} files, ${used.size} of ${rows.length} rows of options, ${calls} calls`);
  assert.deepEqual(faults, []);
  assert.equal(used.size, rows.length);
});
