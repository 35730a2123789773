// The properties that formats() lists, checked by encoding each format.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { decode, difference } from "./support/decode.mjs";
import { encode } from "./support/encode.mjs";
import { glass, isOpaque, paint, photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const { convert, formats, inspect } = await createConsumer().import();
const raster = (await formats()).filter(({ write, vector }) => write && !vector);
const picture = photo(96, 64);
const png = await encode(picture, "image/png");
const NO_LIMIT = 2 ** 31 - 1;

/** One test for each format, with its row and a function that converts `bytes` to it. */
function each(name, check) {
  for (const row of raster) test(`${row.name}: ${name}`, () => check(row, (bytes, options) => convert(bytes, row.type, options)));
}
const codes = ({ warnings }) => warnings.map(({ code }) => code);
const refusal = (call) => call.then(() => undefined, ({ code }) => code);

test("there are as many formats as are written", () => assert.equal(raster.length, 15));

test("a vector format is written only from its own", async () => {
  const drawings = (await formats()).filter(({ vector }) => vector);
  assert.deepEqual(drawings.map(({ type }) => type), ["image/svg+xml"]);
  assert.equal(await refusal(convert(png, drawings[0].type)), "unsupported_output");
  assert.equal((await convert(await sample("drawn.svg"), drawings[0].type)).type, drawings[0].type);
});

each("alpha is kept, or flattened with a warning", async ({ type, alpha }, to) => {
  const result = await to(await encode(glass(96, 64), "image/png"));
  assert.equal(!isOpaque(await decode(await result.bytes(), type)), alpha);
  if (!alpha) assert.ok(codes(result).includes("alpha_flattened"));
});

each("quality applies, or is ignored with a warning", async ({ quality, autoQuality }, to) => {
  const lossy = await to(png, { quality: 30 });
  assert.deepEqual([lossy.quality !== undefined, codes(lossy).includes("option_ignored")], [quality, !quality]);
  const automatic = await to(png, { quality: "auto" });
  assert.deepEqual([automatic.score !== undefined, codes(automatic).includes("option_ignored")], [autoQuality, !autoQuality]);
});

each("lossless selects an encoding that keeps every pixel, or is refused", async ({ type, quality, lossless, transcode }, to) => {
  // Without `quality`, the only encoding is lossless, and the option changes nothing.
  const refused = quality && !lossless;
  assert.equal(await refusal(to(png, { lossless: true })), refused ? "lossless_unsupported" : undefined);
  const own = await encode(picture, type);
  assert.equal(await refusal(to(own, { lossless: true })), refused && !transcode ? "lossless_unsupported" : undefined);
  const result = lossless ? await to(png, { lossless: true }) : transcode ? await to(own, { lossless: true }) : undefined;
  if (!result) return;
  assert.equal(result.quality, undefined);
  const original = await decode(lossless ? png : own, lossless ? "image/png" : type);
  // ImageMagick rounds the floats of an OpenEXR.
  assert.ok(difference(original, await decode(await result.bytes(), type)) < 0.1);
});

each("effort changes the encoding, or does not", async ({ effort }, to) => {
  const [fast, slow] = await Promise.all([0, 8].map(async (effort) => Buffer.from(await (await to(png, { effort })).bytes())));
  assert.equal(!fast.equals(slow), effort);
});

each("options of palettes and chroma change the encoding, or are refused", async ({ colors, chroma }, to) => {
  const [usual, ...others] = await Promise.all([{}, { colors: 5 }, { colors: 256, dither: 0 }, { chroma: "444" }].map(async (options) => {
    return to(png, { ...options, quality: 70 }).then((result) => result.bytes(), ({ code, details }) => `${code} ${details.option}`);
  }));
  const expected = [colors || "colors", colors || "colors", chroma || "chroma"];
  assert.deepEqual(others.map((made) => (typeof made === "string" ? made : !Buffer.from(made).equals(usual))), expected.map((is) => (is === true ? is : `invalid_option ${is}`)));
});

each("an animation is kept, or becomes its first frame with a warning", async ({ animation }, to) => {
  const result = await to(await sample("animated.gif"));
  assert.deepEqual([(await inspect(result.blob)).frames > 1, codes(result).includes("animation_dropped")], [animation, !animation]);
});

each("pages are kept, or become the first with a warning", async ({ pages }, to) => {
  const result = await to(await sample("pages.tiff"));
  assert.deepEqual([(await inspect(result.blob)).frames > 1, codes(result).includes("pages_dropped")], [pages, !pages]);
});

const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/><!-- Secret garden --></x:xmpmeta>';
/** A JPEG with an ICC profile, EXIF, XMP, and a caption in IPTC (IIM 2:120). */
const described = await (async () => {
  const image = toSharp(picture).removeAlpha().withIccProfile("p3").withExif({ IFD0: { Artist: "Ada Example" } }).withXmp(XMP);
  const jpeg = await image.jpeg().toBuffer();
  const caption = Buffer.from("A caption");
  const dataset = Buffer.concat([Buffer.from([0x1c, 2, 120, 0, caption.length]), caption]);
  const resource = Buffer.concat([Buffer.from("Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0", "latin1"), Buffer.from([dataset.length]), dataset]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(resource.length + 2);
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xed]), length, resource, jpeg.subarray(2)]));
})();

each("metadata is kept as listed", async ({ metadata }, to) => {
  const result = await to(described, { metadata: "keep" });
  const text = Buffer.from(await result.bytes()).toString("latin1");
  const found = {
    icc: (await inspect(result.blob)).hasIccProfile,
    exif: text.includes("Ada Example"),
    xmp: text.includes("Secret garden"),
    iptc: text.includes("A caption"),
  };
  assert.deepEqual(Object.keys(found).filter((name) => found[name]), metadata);
  assert.equal(codes(result).includes("metadata_dropped"), metadata.length < 4);
});

each("a longer side is refused", async ({ name, maxSide }, to) => {
  if (maxSide === NO_LIMIT) return;
  const long = await encode(paint(maxSide + 1, 1, () => [90, 120, 150]), "image/x-farbfeld");
  const outcome = await to(long).catch((error) => error);
  if (name === "ICO") {
    assert.equal(outcome.width, maxSide);
    assert.ok(codes(outcome).includes("resized_to_fit"));
  } else assert.deepEqual([outcome.code, outcome.details.limit], ["output_too_large", maxSide]);
});
