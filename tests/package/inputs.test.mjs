// Everything that may be handed over, what may not, and what a result is called.
import { strict as assert } from "node:assert";
import { openAsBlob } from "node:fs";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { listen } from "./support/listen.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
const api = await consumer.import();
const { compress, convert, inspect } = api;

const photo = await sample("baseline.jpg");
const expected = await (await compress(photo)).bytes();
const path = consumer.write("photo.jpg", photo);
const surrounded = new Uint8Array(photo.length + 30).fill(7);
surrounded.set(photo, 13);
const padded = new Uint8Array(photo.length + (photo.length % 2));
padded.set(photo);

const inputs = {
  "a Blob": () => new Blob([photo]),
  "a Blob with its type": () => new Blob([photo], { type: "image/jpeg" }),
  "a Blob that says it is a PNG": () => new Blob([photo], { type: "image/png" }),
  "a Blob that stands for a file": () => openAsBlob(path),
  "a File": () => new File([photo], "photo.jpg"),
  "an ArrayBuffer": () => photo.slice().buffer,
  "a Uint8Array": () => photo.slice(),
  "a Uint8Array on a part of its buffer": () => surrounded.subarray(13, 13 + photo.length),
  "a DataView on a part of its buffer": () => new DataView(surrounded.buffer, 13, photo.length),
  "a Buffer": () => Buffer.from(photo),
  "a Response": () => new Response(photo),
  "a Response that streams": () => new Response(new Blob([photo.subarray(0, 999), photo.subarray(999)]).stream()),
};

for (const [kind, make] of Object.entries(inputs)) {
  test(`compress and inspect take ${kind}`, async () => {
    const result = await compress(await make());
    assert.deepEqual(await result.bytes(), expected);
    assert.equal(result.inputSize, photo.length);
    const { type, width, height } = await inspect(await make());
    assert.deepEqual({ type, width, height }, { type: "image/jpeg", width: 160, height: 104 });
  });
}

test("an array of wider elements counts by its bytes", async () => {
  const { inputSize, width } = await compress(new Uint16Array(padded.buffer));
  assert.deepEqual([inputSize, width], [padded.length, 160]);
});

test("the caller's buffer stays whole and may be written to at once", async () => {
  const mine = surrounded.slice();
  const call = compress(mine.subarray(13, 13 + photo.length));
  mine.fill(0);
  assert.deepEqual(await (await call).bytes(), expected);
  assert.equal(mine.buffer.byteLength, surrounded.length);
  const { keptOriginal, bytes } = await compress(expected, { quality: 100 });
  assert.equal(keptOriginal, true);
  (await bytes()).fill(0);
  assert.notEqual(expected[0], 0, "the result shares memory with the input");
});

for (const [kind, make] of Object.entries({
  nothing: () => undefined,
  null: () => null,
  "a number": () => 42,
  "an address as text": () => "https://example.com/photo.jpg",
  "a URL": () => new URL("https://example.com/photo.jpg"),
  "a plain object": () => ({ size: 3, type: "image/png" }),
  "an array of numbers": () => [...photo.subarray(0, 50)],
  "a Request": () => new Request("https://example.com/photo.jpg"),
  "a stream": () => new Blob([photo]).stream(),
  "a promise": () => Promise.resolve(photo),
})) {
  test(`${kind} is refused`, async () => {
    await expectFailure(api, compress(make()), "InputError", "unreadable_input");
    await expectFailure(api, convert(make(), "image/png"), "InputError", "unreadable_input");
    await expectFailure(api, inspect(make()), "InputError", "unreadable_input");
  });
}

const tagged = (tag, members) => ({ [Symbol.toStringTag]: tag, ...members });
const forged = {
  "by its tag": () => tagged("Blob"),
  "by its tag, with members of other types": () => tagged("File", { type: 5, size: {}, name: 7, slice: 3, arrayBuffer: "no" }),
  "whose bytes are none": () => tagged("Blob", { type: "image/jpeg", size: 5, slice: () => ({ arrayBuffer: () => Symbol("bytes") }) }),
  "by its prototype": () => Object.create(Blob.prototype),
  "by its prototype, with members of its own": () => Object.create(Blob.prototype, { type: { value: "" }, size: { value: 9 } }),
  "that throws at a touch": () => new Proxy({}, { get: (_, key) => (key === Symbol.toStringTag ? "Blob" : assert.fail(String(key))) }),
};

for (const [kind, make] of Object.entries(forged)) {
  test(`a Blob forged ${kind} is refused`, async () => {
    for (const call of [compress, inspect]) await expectFailure(api, call(make()), "InputError", "unreadable_input");
  });
}

test("what behaves as a Blob is read, or refused", async () => {
  const blob = new Blob([photo]);
  for (const like of [new Proxy(blob, {}), tagged("Blob", { type: "", size: Symbol("size"), slice: () => blob })]) {
    const outcome = await compress(like).then((result) => result.bytes(), (error) => error);
    if (outcome instanceof Error) assert.equal(outcome.code, "unreadable_input");
    else assert.deepEqual(outcome, expected);
  }
});

test("a buffer that what behaves as a Blob gives, and may still hold, stays whole", async () => {
  const [held, kept] = [photo.slice().buffer, expected.slice().buffer];
  const holder = (bytes) => tagged("Blob", { type: "image/jpeg", size: bytes.byteLength, slice: (start, end) => ({ arrayBuffer: async () => (end ? bytes.slice(start, end) : bytes) }) });
  class Polyfill extends Blob {
    arrayBuffer = async () => held;
    slice = () => this;
  }
  assert.deepEqual(await (await compress(holder(held))).bytes(), expected);
  assert.deepEqual(await (await compress(new Polyfill([photo]))).bytes(), expected);
  const original = await compress(holder(kept), { quality: 100 });
  assert.equal(original.keptOriginal, true);
  for (const call of [inspect(holder(held)), api.score(holder(held), holder(held))]) await call;
  assert.deepEqual([held.byteLength, kept.byteLength], [photo.length, expected.length]);
});

test("the size of a Blob is that of its bytes, whatever it says", async () => {
  for (const size of [NaN, -5, 10, 1e308, 5n]) {
    class Lying extends Blob {
      get size() {
        return size;
      }
    }
    const { inputSize, bytes } = await compress(new Lying([photo]));
    assert.deepEqual([inputSize, await bytes()], [photo.length, expected], String(size));
    const { keptOriginal, outputSize } = await compress(new Lying([expected]), { quality: 100 });
    assert.deepEqual([keptOriginal, outputSize], [true, expected.length]);
  }
});

test("a forged Response or buffer is refused", async () => {
  for (const fake of [tagged("Response", { ok: true }), tagged("Response"), tagged("ArrayBuffer", { length: -1 }), Object.create(Response.prototype)]) {
    const error = await compress(fake).then(() => assert.fail("resolved"), (thrown) => thrown);
    assert.equal(error.kind, "input", `${error.code}: ${error.message}`);
  }
});

test("a Response that is no success is refused with its status", async () => {
  const { details } = await expectFailure(api, compress(new Response(photo, { status: 404 })), "InputError", "response_not_ok");
  assert.equal(details.status, 404);
  await expectFailure(api, compress(Response.error()), "InputError", "response_not_ok");
});

test("a Response whose body is gone, locked or breaks off is refused", async () => {
  const used = new Response(photo);
  await used.arrayBuffer();
  await expectFailure(api, compress(used), "InputError", "unreadable_input");
  const locked = new Response(photo);
  locked.body.getReader();
  await expectFailure(api, compress(locked), "InputError", "unreadable_input");
  const broken = new Response(new ReadableStream({ pull: (stream) => stream.error(new Error("connection lost")) }));
  const { cause } = await expectFailure(api, compress(broken), "InputError", "unreadable_input");
  assert.match(String(cause), /connection lost/);
});

test("a result is called after its input, with the extension of its type", async () => {
  const png = await sample("palette.png");
  const named = async (input, to) => (to ? await convert(input, to) : await compress(input)).name;
  assert.equal(await named(new File([png], "holiday.2024.png"), "image/webp"), "holiday.2024.webp");
  assert.equal(await named(new File([png], "scan"), "jpeg"), "scan.jpg");
  assert.equal(await named(new File([photo], "holiday.jpeg")), "holiday.jpeg");
  assert.equal(await named(new File([photo], "../../etc/pass\u0000wd.jpg"), "png"), "pass_wd.png");
  assert.equal(await named(new Blob([png]), "image/jpeg"), "image.jpg");
  assert.equal(await named(png), "image.png");
});

test("a Response's result is called after its address", async (context) => {
  const { url, close } = await listen((_, response) => response.end(photo));
  context.after(close);
  const response = await fetch(`${url}/album/caf%C3%A9.jpg?size=1#top`);
  assert.equal((await convert(response, "png")).name, "café.png");
});
