// Limits are checked against the header before a pixel is allocated.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { openEngine } from "./support/engine.mjs";
import { expectFailure } from "./support/failure.mjs";
import { pngThatClaims } from "./support/formats/png.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
const api = await consumer.import();
const { compress, convert, inspect } = api;
const photo = await sample("baseline.jpg");
const fail = (promise, name, code) => expectFailure(api, promise, name, code);

test("limits name what was found and what is allowed", async () => {
  const limited = async (limits, code, input = photo, more = {}) => (await fail(compress(input, { ...more, limits }), "LimitError", code)).details;
  assert.deepEqual(await limited({ maxInputBytes: photo.length - 1 }, "input_too_large"), { actual: photo.length, limit: photo.length - 1 });
  assert.deepEqual(await limited({ maxPixels: 160 * 104 - 1 }, "too_many_pixels"), { actual: 160 * 104, limit: 160 * 104 - 1 });
  assert.deepEqual(await limited({ maxPixels: 160 * 104 }, "too_many_pixels", photo, { resize: { width: 320 } }), { actual: 320 * 208, limit: 160 * 104 });
  const { needBytes, limitBytes, ...rest } = await limited({ maxMemoryBytes: 20_000 }, "too_much_memory");
  assert.ok(limitBytes === 20_000 && needBytes > 160 * 104 * 3);
  assert.deepEqual(rest, {});
  await compress(photo, { limits: { maxInputBytes: photo.length, maxPixels: 160 * 104 } });
});

test("the limits that hold by default", async () => {
  await fail(compress(pngThatClaims(65_000, 65_000)), "LimitError", "too_many_pixels");
  await fail(compress(pngThatClaims(10_001, 10_000)), "LimitError", "too_many_pixels");
  const padded = new Blob([photo, new Uint8Array(256 * 1024 * 1024)]);
  await fail(inspect(padded), "LimitError", "input_too_large");
  assert.equal((await inspect(padded, { limits: { maxInputBytes: padded.size } })).type, "image/jpeg");
});

/** A Response without an end, in pieces of 64 KiB, and what became of it. */
function endless(headers = {}) {
  const state = { read: 0, cancelled: undefined };
  const piece = new Uint8Array(65_536);
  piece.set(photo);
  const body = new ReadableStream({
    pull: (stream) => {
      state.read += piece.length;
      stream.enqueue(piece.slice());
    },
    cancel: (reason) => void (state.cancelled = reason),
  });
  return { response: new Response(body, { headers }), state };
}

test("of a Response no more is read than the limit allows, and its download ends", async () => {
  const limits = { maxInputBytes: 300_000 };
  for (const call of [compress, inspect, (input, options) => convert(input, "png", options), (input, options) => api.score(photo, input, options)]) {
    const { response, state } = endless();
    const { details } = await fail(call(response, { limits }), "LimitError", "input_too_large");
    assert.deepEqual([details.actual, details.limit], [327_680, 300_000]);
    assert.ok(state.read < 600_000, `${state.read} bytes were read`);
    assert.equal(state.cancelled?.code, "input_too_large");
  }
});

test("a Response that tells its length is refused as any other input, before it is read", async () => {
  const limits = { maxInputBytes: 1000 };
  const { response, state } = endless({ "content-length": "1200000000" });
  const told = await fail(compress(response, { limits }), "LimitError", "input_too_large");
  assert.deepEqual(told.details, { actual: 1_200_000_000, limit: 1000 });
  assert.ok(state.read <= 65_536 && state.cancelled, `${state.read} bytes were read`);
  const [bytes, answer] = [photo, new Response(photo, { headers: { "content-length": `${photo.length}` } })];
  const [one, other] = await Promise.all([bytes, answer].map((input) => fail(compress(input, { limits }), "LimitError", "input_too_large")));
  assert.deepEqual([one.message, one.details], [other.message, other.details]);
});

test("the limit that holds by default holds for a Response, and one of just that size is read", async () => {
  const { response, state } = endless();
  const { details } = await fail(inspect(response), "LimitError", "input_too_large");
  assert.deepEqual([details.limit, details.actual], [2 ** 28, 2 ** 28 + 65_536]);
  assert.ok(state.cancelled);
  const whole = new Response(new Blob([photo]).stream());
  assert.equal((await compress(whole, { limits: { maxInputBytes: photo.length } })).inputSize, photo.length);
  await fail(compress(new Response(new Blob([photo]).stream()), { limits: { maxInputBytes: -1 } }), "OptionsError", "invalid_option");
});

test("an output type that cannot hold the picture", async () => {
  const long = await sample("bits.pbm", [20_000, 4]);
  const { details } = await fail(convert(long, "webp"), "LimitError", "output_too_large");
  assert.deepEqual(details, { actual: 20_000, limit: 16_383 });
});

test("a PNG that claims 65,000 × 65,000 pixels is refused by its header, and takes no memory", async () => {
  const engine = await openEngine(consumer.installed, "core");
  const bytes = new Uint8Array(pngThatClaims(65_000, 65_000));
  const begun = () => assert.fail("nothing is to be decoded");
  assert.throws(() => engine.process(bytes, undefined, {}, begun), { kind: "limits", code: "too_many_pixels" });
  // A few pages of 64 KiB: the file itself and the error.
  assert.ok(engine.memory_bytes() < 2e6, `${engine.memory_bytes()} bytes`);
});
