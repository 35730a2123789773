// The option `overlay`: held against sharp's pixels, with every kind of input as its image, in several files and outputs of one call.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const api = await createConsumer().import();
const { compress, compressAll, convert, score, variants } = api;

const below = await toSharp(photo(300, 200)).removeAlpha().png().toBuffer();
const logo = await sharp({ create: { width: 61, height: 40, channels: 4, background: { r: 200, g: 30, b: 90, alpha: 0.6 } } }).png().toBuffer();
const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="#c81e5a"/></svg>');

const raw = async (image) => sharp(image).removeAlpha().raw().toBuffer();
const off = (one, other) => one.reduce((most, level, at) => Math.max(most, Math.abs(level - other[at])), 0);
const bytesOf = async (result) => Buffer.from(await (await result).bytes());

test("an overlay is composited as by sharp, at each position", async () => {
  const places = { center: "centre", top: "north", bottom: "south", left: "west", right: "east", "top left": "northwest", "bottom right": "southeast" };
  for (const [position, gravity] of Object.entries(places)) {
    const made = await raw(await bytesOf(convert(below, "png", { overlay: { image: logo, position } })));
    const expected = await raw(await sharp(below).composite([{ input: logo, gravity }]).png().toBuffer());
    assert.equal(made.length, expected.length);
    // Where a free pixel cannot be halved, sharp rounds the other way; the color is of one piece, so that only edges differ.
    const wrong = made.filter((level, at) => Math.abs(level - expected[at]) > 1).length;
    assert.ok(wrong <= 3 * 2 * (61 + 40), `${position}: ${wrong} levels`);
  }
});

test("opacity, margin and width are what they say", async () => {
  const overlay = { image: logo, position: "bottom right", opacity: 0.5, margin: "5%", width: "10%" };
  const made = sharp(await bytesOf(convert(below, "png", { overlay })));
  const small = await sharp(logo).resize({ width: 30 }).ensureAlpha(1).png().toBuffer();
  const { height } = await sharp(small).metadata();
  const half = await sharp({ create: { width: 30, height, channels: 4, background: { r: 200, g: 30, b: 90, alpha: 0.3 } } }).png().toBuffer();
  const expected = await raw(await sharp(below).composite([{ input: half, left: 300 - 30 - 10, top: 200 - height - 10 }]).png().toBuffer());
  assert.ok(off(await raw(await made.png().toBuffer()), expected) <= 2);
});

test("the image is any input, also one that can be read only once for several files and outputs", async () => {
  const expected = await bytesOf(convert(below, "webp", { overlay: { image: logo } }));
  const stream = () => new Blob([logo]).stream();
  const inputs = { Blob: () => new Blob([logo]), File: () => new File([logo], "logo.png"), buffer: () => logo.buffer.slice(logo.byteOffset, logo.byteOffset + logo.length), Response: () => new Response(logo), stream };
  for (const [name, create] of Object.entries(inputs)) {
    assert.ok(expected.equals(await bytesOf(convert(below, "webp", { overlay: { image: create() } }))), name);
  }
  const outcomes = await compressAll([below, below, below], { to: "webp", overlay: { image: stream() } });
  assert.deepEqual(outcomes.map(({ status }) => status), ["fulfilled", "fulfilled", "fulfilled"]);
  for (const { value } of outcomes) assert.ok(expected.equals(await bytesOf(value)));
  let made = 0;
  for await (const output of variants(below, [{ to: "webp" }, { to: "webp", resize: { width: 90 } }, { to: "jpeg" }], { overlay: { image: stream() } })) {
    const { width, type } = output;
    const alone = await bytesOf(convert(below, type, { resize: { width }, overlay: { image: logo } }));
    assert.ok(alone.equals(await bytesOf(output)), `${type}, ${width} pixels wide`);
    made += 1;
  }
  assert.equal(made, 3);
});

test("pixels are an image too, and are taken when the call is made", async () => {
  const pixels = { data: new Uint8ClampedArray(4 * 8 * 8).fill(255), width: 8, height: 8 };
  const call = convert(below, "png", { overlay: { image: pixels, position: "top left" } });
  pixels.data.fill(0);
  assert.deepEqual([...(await raw(await bytesOf(call))).subarray(0, 3)], [255, 255, 255]);
});

test("an SVG or an AVIF as the image takes the full build, which the call finds out itself", async () => {
  const red = ({ channels: [{ mean: r }, { mean: g }] }) => r - g;
  const plain = await bytesOf(compress(await sample("baseline.jpg")));
  const over = async (image) => bytesOf(compress(await sample("baseline.jpg"), { overlay: { image, width: "100%" } }));
  assert.ok(red(await sharp(await over(drawing)).stats()) > 100);
  assert.ok(!(await over(await sample("lossy.avif"))).equals(plain));
});

test("a JPEG keeps its look beside the overlay", async () => {
  const jpeg = await sample("baseline.jpg");
  const plain = await bytesOf(compress(jpeg, { quality: 95 }));
  const marked = await bytesOf(compress(jpeg, { quality: 95, overlay: { image: logo, width: 4, position: "top left" } }));
  assert.ok(!plain.equals(marked));
  assert.ok((await score(plain, marked)).score > 60);
});

test("what is wrong with an overlay is said", async () => {
  for (const [overlay, option] of [
    ["logo.png", "overlay"],
    [{}, "overlay.image"],
    [{ image: logo, opacity: 2 }, "overlay.opacity"],
    [{ image: logo, opacity: "0.5" }, "overlay.opacity"],
    [{ image: logo, margin: -4 }, "overlay.margin"],
    [{ image: logo, position: "attention" }, "overlay.position"],
  ]) {
    const { details } = await expectFailure(api, compress(below, { overlay }), "OptionsError", "invalid_option");
    assert.equal(details.option, option);
  }
  const { message } = await expectFailure(api, compress(below, { overlay: { image: logo, opactiy: 1 } }), "OptionsError", "unknown_option");
  assert.match(message, /Did you mean overlay\.opacity\?$/);
  for (const [image, code] of [[new Uint8Array(), "empty_input"], [Buffer.from([1, 2, 250, 3, 251, 4]), "unknown_type"], [5, "unreadable_input"], [logo.subarray(0, 60), "corrupt"]]) {
    const { details } = await expectFailure(api, compress(below, { overlay: { image } }), "InputError", code);
    assert.equal(details.file, "overlay");
  }
});
