// SVG through the package: size, the caller's fonts, no external resources, minification.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { decode, difference } from "./support/decode.mjs";
import { expectFailure } from "./support/failure.mjs";
import { drawn, written } from "./support/formats/svg.mjs";
import { readWithSharp } from "./support/formats/sharp.mjs";

/** Of Debian's fonts-dejavu-core, which set-up installs: sharp finds it by its name. */
const FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf";
const FAMILY = "DejaVu Sans Mono";

const api = await createConsumer().import();
const { compress, convert } = api;
const font = readFileSync(FONT);
const bitmap = async (bytes, options) => {
  const result = await convert(bytes, "png", options);
  return decode(await result.bytes(), result.type);
};
/** How much ink there is: 0 for a white sheet. */
const ink = ({ data }) => data.reduce((sum, value) => sum + 255 - value, 0) / data.length;

test("a drawing is as sharp as it is large", async () => {
  for (const [resize, size] of [[{ width: 384 }, [384, 256]], [{ height: 32 }, [48, 32]], [{ width: 300, height: 300, fit: "inside" }, [300, 200]]]) {
    const picture = await bitmap(drawn(96, 64), { resize });
    assert.deepEqual([picture.width, picture.height], size);
    const reference = await readWithSharp(await sharp(drawn(...size)).png().toBuffer());
    const off = difference(picture, reference);
    assert.ok(off < 1, `${size}: ${off} off`);
  }
});

test("text is drawn in a font that is given", async () => {
  const input = written(320, 208, { family: FAMILY });
  const reference = await readWithSharp(await sharp(input).png().toBuffer());
  assert.ok(ink(reference) > 1);
  for (const given of [[new Uint8Array(font)], [new Uint8Array(font).buffer], [font]]) {
    const off = difference(await bitmap(input, { fonts: given }), reference);
    assert.ok(off < 1.5, `${off} off`);
  }
});

test("letters are paired, joined, marked and turned as their font asks for", async () => {
  const sans = readFileSync("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
  for (const text of ["AVATAR, To Yo", "السلام عليكم", "(שלום)", "e\u0301 z\u0323 x\u0307"]) {
    const input = written(320, 208, { text, family: "DejaVu Sans" });
    const reference = await readWithSharp(await sharp(input).png().toBuffer());
    assert.ok(ink(reference) > 1);
    const off = difference(await bitmap(input, { fonts: [sans] }), reference);
    assert.ok(off < 1.5, `${text}: ${off} off`);
  }
  // librsvg leaves these letters apart; HarfBuzz joins them, as this font asks for.
  const [apart, joined] = ["efficient fluff", "e\ufb03cient \ufb02u\ufb00"].map((text) => written(320, 208, { text, family: "DejaVu Sans" }));
  assert.deepEqual(await bitmap(apart, { fonts: [sans] }), await bitmap(joined, { fonts: [sans] }));
});

test("text is drawn in the font that is built in where there is no other", async () => {
  const [bare, foreign] = await Promise.all(["No Such Family", FAMILY].map((family) => bitmap(written(320, 208, { family }))));
  assert.ok(ink(bare) > 1, "no ink");
  assert.deepEqual(foreign, bare);
  const named = await bitmap(written(320, 208, { family: FAMILY }), { fonts: [font] });
  assert.ok(difference(named, bare) > 1, "a font of the caller made no difference");
  for (const text of ["Größe", "Ελληνικά", "Русский"]) assert.ok(ink(await bitmap(written(320, 208, { text }))) > 1, text);
});

test("the caller's fonts stay his, and are those that were there as the call was made", async () => {
  const [mine, reused, list] = [new Uint8Array(font), new Uint8Array(font), []];
  list.push(mine);
  const call = bitmap(written(320, 208, { family: FAMILY }), { fonts: list });
  list.length = 0;
  const early = bitmap(written(320, 208, { family: FAMILY }), { fonts: [reused.buffer] });
  reused.fill(0);
  assert.deepEqual(await early, await call);
  const [one, other] = await Promise.all([call, bitmap(written(320, 208, { family: FAMILY }), { fonts: [font] })]);
  assert.deepEqual(one, other);
  assert.equal(Buffer.compare(mine, font), 0);
});

test("what is no font is refused", async () => {
  for (const fonts of ["DejaVu", font, [FONT], [5], [null], [{}], {}, 5]) {
    const { details } = await expectFailure(api, convert(drawn(96, 64), "png", { fonts }), "OptionsError", "invalid_option");
    assert.match(details.option, /^fonts/);
  }
  for (const fonts of [[new Uint8Array(1000)], [font.subarray(0, 50)], [new Uint8Array()]]) {
    const { details } = await expectFailure(api, convert(written(96, 64), "png", { fonts }), "OptionsError", "invalid_option");
    assert.match(details.option, /^fonts/);
  }
});

test("nothing from elsewhere is loaded", async () => {
  const inside = (element) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40"><rect width="40" height="40" fill="#fff"/>${element}</svg>`);
  const empty = await bitmap(inside(""));
  const outside = [
    `<image href="file://${FONT}" width="40" height="40"/>`,
    '<image href="/etc/passwd" width="40" height="40"/>',
    '<image xlink:href="http://127.0.0.1:9/a.png" width="40" height="40"/>',
    '<use href="other.svg#a"/>',
    '<style>@import url("http://127.0.0.1:9/a.css");</style>',
  ];
  for (const element of outside) assert.deepEqual(await bitmap(inside(element)), empty, element);
  const own = await sharp({ create: { width: 4, height: 4, channels: 3, background: "#c00" } }).png().toBuffer();
  const embedded = await bitmap(inside(`<image href="data:image/png;base64,${own.toString("base64")}" width="40" height="40"/>`));
  assert.ok(ink(embedded) > 20, "a picture in the file itself is part of it");
});

test("an SVG that stays one has fewer words and the same look", async () => {
  // A line of text is little but its text; a drawing has a comment, spaces and numbers to shorten.
  for (const [input, most] of [[drawn(96, 64), 0.95], [drawn(96, 64, { clear: true }), 0.95], [written(160, 104), 0.98]]) {
    const result = await compress(input);
    assert.deepEqual([result.type, result.keptOriginal], ["image/svg+xml", false]);
    assert.ok(result.outputSize < input.length * most, `${result.outputSize} of ${input.length}`);
    const text = Buffer.from(await result.bytes());
    assert.ok(!text.includes("early sketch"), "the comment is still there");
    const off = difference(await readWithSharp(text), await readWithSharp(input));
    assert.ok(off < 0.5, `${off} off`);
  }
});

test("an SVG that stays one has no pixels to be resized, and no quality to be lowered", async () => {
  const drawing = drawn(96, 64);
  const { width, height, warnings, outputSize } = await compress(drawing, { resize: { width: 384 } });
  assert.deepEqual([width, height], [96, 64]);
  assert.deepEqual(warnings.map(({ code }) => code), ["option_ignored"]);
  await compress(drawing, { targetSize: outputSize });
  const error = await expectFailure(api, compress(drawing, { targetSize: 10 }), "LimitError", "target_unreachable");
  assert.deepEqual([error.details.smallest, error.details.limit], [outputSize, 10]);
});
