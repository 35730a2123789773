// All kinds of inputs, refused inputs, and the names of results.
import { strict as assert } from "node:assert";
import { createReadStream, openAsBlob } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { listen } from "./support/listen.mjs";
import { oddCalls, WRONG_INPUTS, WRONG_OPTIONS } from "./support/odd-calls.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
const api = await consumer.import();
const { compress, compressAll, convert, decode, inspect } = api;

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
  "a stream": () => new Blob([photo]).stream(),
  "a stream of Node": () => createReadStream(path),
  "a URL of a file": () => pathToFileURL(path),
  "a Request": () => new Request("https://example.com/", { method: "POST", body: photo }),
  "a Blob of another DOM": () => ({ size: photo.length, type: "image/jpeg", arrayBuffer: async () => photo.slice().buffer, slice(start, end) { return new Blob([photo.slice(start, end)]); } }),
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

test("wrong and odd calls say what came, and what to write", async () => {
  assert.ok(Object.keys(WRONG_INPUTS).length + WRONG_OPTIONS.length >= 95);
  assert.deepEqual(await oddCalls(api, photo), []);
});

test("convert, inspect and decode refuse the same inputs", async () => {
  for (const [make] of Object.values(WRONG_INPUTS)) {
    for (const call of [(input) => convert(input, "image/png"), inspect, decode]) await expectFailure(api, call(make(photo)), "InputError", "unreadable_input");
  }
});

test("a URL that is not a file's is refused, and a file that is not there", async () => {
  await expectFailure(api, compress(new URL("https://example.com/photo.jpg")), "InputError", "unreadable_input");
  await expectFailure(api, compress(pathToFileURL(`${path}.gone`)), "InputError", "unreadable_input");
});

test("streams and requests are read up to the limit", async () => {
  const limits = { maxInputBytes: photo.length - 1 };
  for (const make of [() => createReadStream(path), () => new Blob([photo]).stream(), () => new Request("https://example.com", { method: "POST", body: photo })]) {
    await expectFailure(api, compress(make(), { limits }), "LimitError", "input_too_large");
  }
});

test("the result is a File with the name, the type and the time of its input", async () => {
  const { file, blob } = await compress(new File([photo], "holiday.jpeg", { lastModified: 1_000_000 }), { to: "webp" });
  assert.deepEqual([file.name, file.type, file.lastModified, file.size], ["holiday.webp", "image/webp", 1_000_000, blob.size]);
  assert.ok(Math.abs((await compress(photo)).file.lastModified - Date.now()) < 600_000);
  const { name, file: named } = await compress(photo, { name: "avatar", to: "png" });
  assert.deepEqual([name, named.name], ["avatar.png", "avatar.png"]);
  assert.equal((await compress(photo, { name: "Avatar.JPEG" })).name, "Avatar.JPEG");
  assert.equal((await compress(photo, { name: "v1.2", to: "webp" })).name, "v1.2.webp");
  assert.equal((await compress(photo, { as: "stream" })).file, undefined);
  assert.equal((await compress(new File([photo], "holiday\u202egpj.exe"))).name, "holiday_gpj.jpg");
});

const drawing = { width: 50, height: 40, data: Uint8ClampedArray.from({ length: 8000 }, (_, at) => (at % 4 === 3 ? 255 - (at % 200) : (at * 37) >> 3)) };

test("pixels become a PNG, or what `to` names, and decode gives them back", async () => {
  const { type, name, width, height, blob } = await compress(drawing);
  assert.deepEqual([type, name, width, height], ["image/png", "image.png", 50, 40]);
  assert.deepEqual(await decode(blob), { ...drawing, colorSpace: "srgb" });
  assert.deepEqual(await decode(drawing), { ...drawing, colorSpace: "srgb" });
  assert.equal((await convert(drawing, "webp")).type, "image/webp");
  assert.equal((await inspect(drawing)).width, 50);
  await expectFailure(api, compress(drawing, { limits: { maxPixels: 1999 } }), "LimitError", "too_many_pixels");
});

test("decode gives upright pixels in sRGB, in the size that is asked for", async () => {
  const { width, height, data } = await decode(photo, { resize: { maxWidth: 80 } });
  assert.deepEqual([width, height, data.length], [80, 52, 4 * 80 * 52]);
  const turned = await sharp(photo).withMetadata({ orientation: 6 }).toBuffer();
  const upright = await decode(turned);
  assert.deepEqual([upright.width, upright.height], [104, 160]);
  const deep = await decode(await sample("deep.png"));
  assert.equal(deep.data.length, 4 * deep.width * deep.height);
  await expectFailure(api, decode(photo, { to: "png" }), "OptionsError", "unknown_option");
  assert.match((await expectFailure(api, decode(Buffer.from("%PDF-1.4\n")), "OptionsError", "needs_service")).message, /^Only images are decoded/);
});

test("compressAll gives one outcome for each input, in their order", async () => {
  const events = new Set();
  const inputs = [photo, "photo.jpg", new File([photo], "b.jpg"), undefined, ...Array.from({ length: 20 }, () => photo)];
  const outcomes = await compressAll(inputs, { to: "webp", onProgress: ({ index, phase }) => phase === "done" && events.add(index) });
  assert.equal(outcomes.length, inputs.length);
  assert.deepEqual(outcomes.map(({ status }) => status), inputs.map((input) => (typeof input === "object" ? "fulfilled" : "rejected")));
  assert.deepEqual([outcomes[1].reason.code, outcomes[2].value.name], ["unreadable_input", "b.webp"]);
  assert.deepEqual([...events].sort((one, other) => one - other), inputs.flatMap((input, index) => (typeof input === "object" ? [index] : [])));
  assert.deepEqual(await compressAll([]), []);
  assert.deepEqual(await compressAll(new Set([photo]).values()).then(([{ status }]) => status), "fulfilled");
  for (const wrong of [undefined, 5, "abc", photo, {}]) await expectFailure(api, compressAll(wrong), "InputError", "unreadable_input");
  const throwing = (function* () {
    yield photo;
    throw new Error("mine");
  })();
  assert.match((await expectFailure(api, compressAll(throwing), "InputError", "unreadable_input")).message, /Error: mine/);
  await expectFailure(api, compressAll([photo], { qualty: 1 }).then(([{ reason }]) => Promise.reject(reason)), "OptionsError", "unknown_option");
  await expectFailure(api, compressAll([photo], { name: "one.jpg" }), "OptionsError", "invalid_option");
  await assert.rejects(compressAll([photo], { signal: AbortSignal.abort("enough") }), (reason) => reason === "enough");
});

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
