// HEIC in browsers that decode HEVC as video: files of heif-enc, and others around its pictures, beside libheif's own pixels.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import sharp from "sharp";
import { createBrowserProject } from "./support/browser-project.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { codedPicture, decodeByLibheif, encodeHeic, gridOf, heifOf, property, withEndlessExtents } from "./support/heif.mjs";
import { withHevc } from "./support/hevc.mjs";
import { glass, photo, random } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";

const browser = await launchChromium();
const files = new Map();
const project = createBrowserProject(createConsumer(), browser, files);
const { page, complaints, close } = await project.open(undefined, undefined, withHevc);
after(() => close().then(() => browser.close()));

/** Without noise, whose colors are what decoders scale each in their way. */
const png = (picture, { alpha = false } = {}) => (alpha ? toSharp(picture) : toSharp(picture).removeAlpha()).blur(4).png().toBuffer();
const [opaque, odd, clear] = await Promise.all([png(photo(96, 64)), png(photo(45, 33)), png(glass(96, 64), { alpha: true })]);
/** Four tiles of 64 × 64 pixels. */
const tiles = await Promise.all([1, 2, 3, 4].map(async (seed) => codedPicture(encodeHeic(await png(photo(64, 64, seed))))));

/** What the page makes of a file: the pixels, or the error's code. */
async function pixelsOf(heic, options) {
  files.set("/picture.heic", heic);
  const outcome = await page.evaluate(
    (options) =>
      asPage(async () => {
        try {
          const { data, width, height } = await filepress.decode(await file("/picture.heic"), options);
          return { data: Array.from(data), width, height };
        } catch ({ code, details }) {
          return { code, details };
        }
      }),
    options,
  );
  return outcome.code ? outcome : { ...outcome, data: Uint8Array.from(outcome.data) };
}

/** Compares the page's pixels with those of libheif. */
async function expectPixels(heic, size) {
  const { data, width, height, code } = await pixelsOf(heic);
  assert.equal(code, undefined);
  const { data: expected, info } = await decodeByLibheif(heic).toColorspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([width, height], [info.width, info.height]);
  if (size) assert.deepEqual([width, height], size);
  const error = meanError(data, expected);
  assert.ok(error < 2.5, `a mean error of ${error.toFixed(2)}`);
}

const meanError = (pixels, expected) => expected.reduce((sum, value, at) => sum + Math.abs(value - pixels[at]), 0) / expected.length;

/** A grid of the four tiles, 120 × 100 pixels, with more properties. */
function grid(...properties) {
  const configuration = property.configuration(tiles[0].configuration);
  const size = property.size(64, 64);
  const parts = tiles.map(({ data }) => ({ type: "hvc1", data, properties: [configuration, size] }));
  const data = gridOf({ rows: 2, columns: 2, width: 120, height: 100 });
  return heifOf([{ type: "grid", data, properties: [property.size(120, 100), ...properties], inMeta: true }, ...parts], [["dimg", 0, [1, 2, 3, 4]]]);
}

test("a picture, also one of an odd size, has the pixels that libheif decodes", async () => {
  await expectPixels(encodeHeic(opaque), [96, 64]);
  await expectPixels(encodeHeic(odd), [45, 33]);
  assert.match((await page.evaluate(() => configurations)).join(), /^hvc1\.3\.|^hvc1\.1\./);
});

test("code points of the file are heeded", async () => {
  await expectPixels(encodeHeic(opaque, "--matrix_coefficients=1", "--colour_primaries=1", "--transfer_characteristic=13", "--full_range_flag=0"));
});

test("the profile of iPhones, Display P3, is converted to sRGB", async () => {
  const heic = encodeHeic(await sharp(opaque).withIccProfile("p3").png().toBuffer());
  await expectPixels(heic);
  const { data } = await pixelsOf(heic);
  const decoded = decodeByLibheif(heic);
  const raw = (image) => image.ensureAlpha().raw().toBuffer();
  const [converted, unconverted] = await Promise.all([raw(decoded.clone().toColorspace("srgb")), raw(decoded.clone().keepIccProfile())]);
  assert.ok(2 * meanError(data, converted) < meanError(data, unconverted));
});

test("transparency is kept", async () => {
  await expectPixels(encodeHeic(clear));
});

test("a grid is joined, and cut to its size", () => expectPixels(grid(), [120, 100]));

for (const [words, size, ...properties] of [
  ["turned by 90°", [100, 120], property.turned(1)],
  ["turned by 180°", [120, 100], property.turned(2)],
  ["turned by 270°", [100, 120], property.turned(3)],
  ["cropped", [40, 60], property.cropped([40, 1], [60, 1], [-10, 1], [5, 1])],
  ["cropped and then turned", [60, 40], property.cropped([40, 1], [60, 1], [-10, 1], [5, 1]), property.turned(1)],
]) {
  test(`a picture is ${words}`, () => expectPixels(grid(...properties), size));
}

test("mirrored pictures: top and bottom, sides, and before or after a turn", async () => {
  const plain = await pixelsOf(grid());
  for (const [heic, ...steps] of [
    [grid(property.mirrored(0)), "flip"],
    [grid(property.mirrored(1)), "flop"],
    [grid(property.turned(1), property.mirrored(1)), "left", "flop"],
    [grid(property.mirrored(1), property.turned(1)), "flop", "left"],
  ]) {
    const expected = await steps.reduce(async (before, step) => changed(await before, step), plain);
    const { data, width, height } = await pixelsOf(heic);
    assert.deepEqual([width, height], [expected.width, expected.height]);
    assert.deepEqual(Buffer.from(data), expected.data);
  }
});

test("a photo of a phone goes through `compress`", async () => {
  files.set("/IMG_1.HEIC", grid(property.turned(3)));
  const { name, type, decoded } = await page.evaluate(() => compressFile("/IMG_1.HEIC"));
  assert.deepEqual([name, type, decoded], ["IMG_1.jpg", "image/jpeg", [100, 120]]);
});

test("more pixels than the limit are refused before anything is decoded", async () => {
  await page.evaluate(() => (globalThis.decoded = 0));
  const { code, details } = await pixelsOf(grid(), { limits: { maxPixels: 11_999 } });
  assert.deepEqual([code, details], ["too_many_pixels", { actual: 12_000, limit: 11_999 }]);
  assert.equal(await page.evaluate(() => decoded), 0);
});

test("a script that cannot be loaded is no missing decoder: the call may succeed when it is repeated", async () => {
  const opened = await project.open(undefined, undefined, withHevc);
  await opened.page.route("**/lib/heif/decoder.js", (route) => route.abort());
  files.set("/picture.heic", grid());
  const outcome = await opened.page.evaluate(() => asPage(async () => filepress.decode(await file("/picture.heic")).catch(({ code, retryable, message }) => ({ code, retryable, message }))));
  assert.deepEqual([outcome.code, outcome.retryable], ["engine_load", true]);
  assert.match(outcome.message, /^The decoder of HEIC could not be loaded \(TypeError: /);
  await opened.close();
});

test("an abort ends the decoding", async () => {
  files.set("/picture.heic", grid());
  const { reason, closed, decoded } = await page.evaluate(() =>
    asPage(async () => {
      const controller = new AbortController();
      const { decode } = VideoDecoder.prototype;
      VideoDecoder.prototype.decode = function (chunk) {
        controller.abort("enough");
        return decode.call(this, chunk);
      };
      Object.assign(globalThis, { closedDecoders: 0, decoded: 0 });
      const call = filepress.compress(await file("/picture.heic"), { signal: controller.signal });
      const reason = await call.catch((reason) => reason).finally(() => (VideoDecoder.prototype.decode = decode));
      // What is under way outside of the page needs a moment.
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { reason, closed: globalThis.closedDecoders, decoded: globalThis.decoded };
    }),
  );
  assert.deepEqual([reason, closed, decoded], ["enough", 1, 0]);
});

test("files that say the same bytes over and over are refused before anything is decoded", async () => {
  await page.evaluate(() => (globalThis.decoded = 0));
  const [configuration, size] = [property.configuration(tiles[0].configuration), property.size(8, 8)];
  const tile = { type: "hvc1", data: tiles[0].data, properties: [configuration, size] };
  const data = gridOf({ rows: 250, columns: 250, width: 2000, height: 2000 });
  const references = [["dimg", 0, Array.from({ length: 62_500 }, () => 1)]];
  const repeated = heifOf([{ type: "grid", data, properties: [property.size(2000, 2000)], inMeta: true }, tile], references);
  for (const heic of [repeated, withEndlessExtents(), grid(...Array.from({ length: 200 }, () => property.turned(1)))]) {
    assert.equal((await pixelsOf(heic)).code, "needs_decoder");
  }
  assert.equal(await page.evaluate(() => decoded), 0);
});

test("profiles of other kinds are taken for sRGB", async () => {
  const plain = await pixelsOf(grid());
  for (const profile of [Buffer.alloc(40), Buffer.alloc(132)]) assert.deepEqual((await pixelsOf(grid(property.profile(profile)))).data, plain.data);
});

test("damaged files are refused, and the next one is decoded", async () => {
  const whole = grid(property.turned(1), property.cropped([40, 1], [60, 1], [-10, 1], [5, 1]));
  const meta = whole.indexOf("mdat", 0, "latin1");
  const cut = [12, 100, 300, meta, whole.length - 1].map((length) => whole.subarray(0, length));
  const next = random(1);
  const flipped = Array.from({ length: 24 }, () => {
    const copy = Buffer.from(whole);
    copy[24 + Math.floor(next() * (meta - 24))] ^= 1 << Math.floor(next() * 8);
    return copy;
  });
  // Which bytes do not matter is the file's affair.
  for (const heic of [...cut, ...flipped]) {
    const { code } = await pixelsOf(heic);
    assert.ok([undefined, "needs_decoder", "unsupported_type", "too_many_pixels", "corrupt"].includes(code), code);
  }
  for (const heic of cut) assert.notEqual((await pixelsOf(heic)).code, undefined);
  await expectPixels(grid(), [120, 100]);
});

test("where HEVC is not decoded, the code says what is needed", async () => {
  await page.evaluate(() => {
    VideoDecoder.isConfigSupported = async (config) => ({ supported: false, config });
  });
  assert.equal((await pixelsOf(grid())).code, "needs_decoder");
  await page.evaluate(() => delete globalThis.VideoDecoder);
  assert.equal((await pixelsOf(grid())).code, "needs_decoder");
});

test("nothing was said to the console", () => assert.deepEqual(complaints, []));

/** Pixels turned to the left, or mirrored as sharp calls it. */
async function changed({ data, width, height }, step) {
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  const { data: made, info } = await (step === "left" ? image.rotate(270) : image[step]()).raw().toBuffer({ resolveWithObject: true });
  return { data: made, width: info.width, height: info.height };
}
