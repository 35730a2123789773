// Bytes that are not a valid image: the class, code and message of the error.
import { strict as assert } from "node:assert";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { heic } from "./support/foreign.mjs";
import { sample } from "./support/samples.mjs";

const api = await createConsumer().import();
const { compress, inspect } = api;
const photo = await sample("baseline.jpg");
const drawing = await sample("palette.png");
const fail = (promise, name, code) => expectFailure(api, promise, name, code);

test("no bytes", async () => {
  for (const call of [compress, inspect]) {
    for (const empty of [new Uint8Array(), new Blob(), new File([], "photo.jpg"), new Response("")]) await fail(call(empty), "InputError", "empty_input");
  }
});

test("bytes of no type that is known", async () => {
  const unknown = [new Uint8Array(1000), new Uint8Array([255]), new File([new Uint8Array(50)], "photo.jpg", { type: "image/jpeg" })];
  for (const bytes of unknown) {
    await fail(compress(bytes), "InputError", "unknown_type");
    await fail(inspect(bytes), "InputError", "unknown_type");
  }
});

const foreign = {
  text: ["unsupported_type", Buffer.from("just some words\n")],
  HEIC: ["needs_decoder", heic()],
  PSD: ["needs_decoder", Buffer.concat([Buffer.from("8BPS\0\x01", "latin1"), Buffer.alloc(200)])],
  ZIP: ["unsupported_type", Buffer.concat([Buffer.from("PK\x03\x04\x14\0\0\0\x08\0", "latin1"), Buffer.alloc(20), deflateRawSync(photo)])],
};

for (const [name, [code, bytes]] of Object.entries(foreign)) {
  test(`${name} is recognized and named, whatever it calls itself`, async () => {
    for (const input of [bytes, new File([bytes], "photo.jpg", { type: "image/jpeg" })]) {
      const { message, details } = await fail(compress(input), "InputError", code);
      assert.match(message, new RegExp(name));
      assert.match(`${details.name}`, new RegExp(name));
    }
  });
}

test("files that end too soon or break their rules", async () => {
  for (const name of ["baseline.jpg", "rgba.png", "lossy.webp", "still.gif", "plain.bmp", "rgba.qoi", "color.ppm", "deep.ff", "coded.tga", "lossy.avif", "deflated.tiff", "plain.exr", "coded.hdr", "plain.dds", "blocks.dds", "drawn.svg"]) {
    const whole = await sample(name);
    const { message } = await fail(compress(whole.subarray(0, whole.length >> 1), { to: "bmp" }), "InputError", "corrupt");
    assert.match(message, /damaged|incomplete|truncated/i, name);
  }
  const wrong = drawing.slice();
  wrong.fill(0xee, 60);
  await fail(compress(wrong), "InputError", "corrupt");
});

test("video, audio and PDF need a service", async () => {
  const pdf = Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n", "latin1");
  const { details } = await fail(compress(pdf), "OptionsError", "needs_service");
  assert.equal(details.type, "application/pdf");
  await fail(compress(Buffer.from("\0\0\0\x18ftypisom\0\0\0\0mif1isom", "latin1")), "OptionsError", "needs_service");
  const sound = new File([Buffer.from("fLaC\0\0\0\x22", "latin1"), new Uint8Array(60)], "a.flac");
  for (const call of [compress, inspect]) {
    const { details } = await fail(call(sound), "OptionsError", "needs_service");
    assert.equal(details.type, "audio/flac");
  }
});
