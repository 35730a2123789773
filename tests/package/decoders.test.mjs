// `init({ decoders })`: images of types that filepress does not read, in each function that takes an image.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { heic, jxl } from "./support/foreign.mjs";
import { glass, photo } from "./support/pictures.mjs";
import { sample } from "./support/samples.mjs";

const api = await createConsumer().import();
const { compress, compressAll, convert, decode, init, inspect, placeholder, score, variants } = api;
const opaque = photo(96, 64);
const file = new File([heic()], "IMG 1.HEIC", { type: "image/heic", lastModified: 1e12 });
const bytesOf = async (result) => Buffer.from(await (await result).bytes());
/** What `compress` makes of pixels, without what it says of the input. */
const ofPixels = (picture, options) => bytesOf(compress(picture, options));

test("without a decoder the type is named, and what to do", async () => {
  for (const call of [compress, inspect, decode, placeholder]) {
    const { message, details } = await expectFailure(api, call(file), "InputError", "needs_decoder");
    assert.match(message, /HEIC \(image\/heic\).*init\(\{ decoders \}\)/);
    assert.deepEqual(details, { type: "image/heic", name: "HEIC" });
  }
  await expectFailure(api, variants(file, [{ to: "jpeg" }]).next(), "InputError", "needs_decoder");
});

test("a decoder's pixels go the way of pixels; without `to` they become a JPEG, and with transparency a WebP", async () => {
  const seen = [];
  await init({ decoders: { "image/heic": async (blob, { signal }) => (seen.push([blob.type, blob.size, signal]), opaque) } });
  const { signal } = new AbortController();
  const result = await compress(file, { quality: 70, signal });
  assert.deepEqual(seen, [["image/heic", file.size, signal]]);
  const { type, name, inputType, inputSize, width, height, inputWidth, inputHeight, keptOriginal, warnings } = result;
  assert.deepEqual(
    { type, name, inputType, inputSize, width, height, inputWidth, inputHeight, keptOriginal, warnings },
    { type: "image/jpeg", name: "IMG 1.jpg", inputType: "image/heic", inputSize: file.size, width: 96, height: 64, inputWidth: 96, inputHeight: 64, keptOriginal: false, warnings: [] },
  );
  assert.equal(result.file.lastModified, 1e12);
  assert.deepEqual(await bytesOf(result), await ofPixels(opaque, { to: "jpeg", quality: 70 }));
  const options = { to: "avif", resize: { maxWidth: 40 }, rotate: 90 };
  assert.deepEqual(await bytesOf(compress(heic(), options)), await ofPixels(opaque, options));
  assert.deepEqual(await bytesOf(convert(file, "png")), await ofPixels(opaque));

  await init({ decoders: { "image/heic": () => glass(96, 64) } });
  assert.deepEqual(await bytesOf(compress(file)), await ofPixels(glass(96, 64), { to: "webp" }));
});

test("every function that takes an image takes them", async () => {
  await init({ decoders: { "image/heic": () => opaque, "image/jxl": () => photo(96, 64, 5) } });
  const { type, width, height, bitDepth, hasAlpha } = await inspect(file);
  assert.deepEqual({ type, width, height, bitDepth, hasAlpha }, { type: "image/heic", width: 96, height: 64, bitDepth: 8, hasAlpha: true });
  assert.deepEqual(await decode(file), await decode(opaque));
  assert.deepEqual(await placeholder(file), await placeholder(opaque));
  assert.equal((await score(file, opaque)).score, 100);
  assert.deepEqual(await score(opaque, jxl), await score(opaque, photo(96, 64, 5)));
  const all = await compressAll([file, jxl, await sample("baseline.jpg"), Buffer.from("words")]);
  assert.deepEqual(all.map(({ value, reason }) => value?.inputType ?? reason.code), ["image/heic", "image/jxl", "image/jpeg", "unsupported_type"]);

  let decoded = 0;
  await init({ decoders: { "image/heic": () => (decoded++, opaque) } });
  const outputs = [];
  for await (const output of variants(file, [{ to: "avif", resize: { maxWidth: 20 } }, { resize: { maxWidth: 30 } }, { resize: { maxWidth: 20 } }])) outputs.push(output);
  outputs.sort((one, other) => one.index - other.index);
  assert.deepEqual(outputs.map(({ name, inputType }) => [name, inputType]), [["IMG 1-20.avif", "image/heic"], ["IMG 1-30.jpg", "image/heic"], ["IMG 1-20.jpg", "image/heic"]]);
  assert.deepEqual(await bytesOf(outputs[1]), await ofPixels(opaque, { to: "jpeg", resize: { maxWidth: 30 } }));
  assert.equal(decoded, 1);
});

test("a decoder may return a file, whose type is kept without `to`", async () => {
  const jpeg = await sample("baseline.jpg");
  await init({ decoders: { "image/heic": () => new Blob([jpeg]) } });
  const { type, name, inputType, inputSize } = await compress(file);
  assert.deepEqual([type, name, inputType, inputSize], ["image/jpeg", "IMG 1.jpg", "image/heic", file.size]);
  assert.deepEqual(await bytesOf(compress(file)), await bytesOf(compress(jpeg)));
});

test("the limit of bytes holds for the file, not for its pixels", async () => {
  await init({ decoders: { "image/heic": () => opaque } });
  const limits = { maxInputBytes: file.size };
  for (const call of [compress, inspect, decode, placeholder]) await call(file, { limits });
  await variants(file, [{ to: "jpeg" }], { limits }).next();
  for (const call of [compress, inspect]) {
    const { details } = await expectFailure(api, call(file, { limits: { maxInputBytes: file.size - 1 } }), "LimitError", "input_too_large");
    assert.deepEqual(details, { actual: file.size, limit: file.size - 1 });
  }
});

test("metadata that a decoder cannot hand on is told where it should be kept", async () => {
  await init({ decoders: { "image/heic": () => opaque } });
  for (const [metadata, codes] of [["strip", []], ["safe", []], ["keep", ["metadata_dropped"]]]) {
    assert.deepEqual((await compress(file, { metadata })).warnings.map(({ code }) => code), codes);
  }
});

test("a decoder that fails, hangs or returns what is no image", async () => {
  const failing = (decode, name, code, options) => init({ decoders: { "image/heic": decode } }).then(() => expectFailure(api, compress(file, options), name, code));
  const cause = new Error("no codec");
  for (const decode of [() => { throw cause; }, () => Promise.reject(cause)]) {
    const error = await failing(decode, "InputError", "corrupt");
    assert.match(error.message, /decoder of image\/heic failed \(.*no codec/);
    assert.equal(error.cause, cause);
  }
  await failing(() => undefined, "InputError", "unreadable_input");
  await failing(() => ({ ...opaque, width: 1 }), "InputError", "unreadable_input");
  await failing(() => heic(), "InputError", "needs_decoder");
  await failing(() => Buffer.from("just some words"), "InputError", "unsupported_type");
  await failing(() => opaque, "LimitError", "too_many_pixels", { limits: { maxPixels: 6143 } });

  const controller = new AbortController();
  await init({ decoders: { "image/heic": () => (controller.abort("enough"), new Promise(() => {})) } });
  assert.equal(await compress(file, { signal: controller.signal }).catch((reason) => reason), "enough");
  await init({ decoders: {} });
  await expectFailure(api, compress(file), "InputError", "needs_decoder");
});

test("what a decoder returns is closed if it can be", async () => {
  let closed = 0;
  await init({ decoders: { "image/heic": () => ({ ...opaque, close: () => closed++ }) } });
  await compress(file);
  assert.equal(closed, 1);
});

test("wrong decoders are refused, and change nothing", async () => {
  await init({ decoders: { "image/heic": () => opaque } });
  for (const [decoders, message] of [
    [null, /decoders must be an object of functions by media type/],
    [[() => opaque], /decoders must/],
    [{ heic: () => opaque }, /"heic" is none/],
    [{ "image/heic": "heic" }, /decoders\["image\/heic"\] must be a function/],
  ]) {
    assert.match((await expectFailure(api, init({ decoders }), "OptionsError", "invalid_option")).message, message);
  }
  assert.equal((await compress(file)).inputType, "image/heic");
});

test("pixels come out as they went in", async () => {
  const { data, info } = await sharp(await sample("rgb.png")).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  await init({ decoders: { "image/jxl": () => ({ data: new Uint8ClampedArray(data), width: info.width, height: info.height }) } });
  const png = await bytesOf(convert(jxl, "png"));
  assert.deepEqual(await sharp(png).ensureAlpha().raw().toBuffer(), data);
});
