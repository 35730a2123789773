// `targetSize` and `quality: "auto"`, as results and errors of the package report them. The engine's tests measure
// how near results come to the target, and whether scores are right.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { decode } from "./support/decode.mjs";
import { expectFailure } from "./support/failure.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const api = await createConsumer().import();
const { compress, convert } = api;
const fail = (promise, name, code) => expectFailure(api, promise, name, code);
const input = new Uint8Array(await toSharp(photo(150, 100)).removeAlpha().png().toBuffer());
const codes = ({ warnings }) => warnings.map(({ code }) => code);

for (const to of ["jpeg", "webp", "avif", "png", "gif", "tiff", "qoi"]) {
  test(`${to}: no result is larger than its target`, async () => {
    const plain = await convert(input, to);
    for (const share of [0.9, 0.6, 0.35]) {
      const targetSize = Math.round(plain.outputSize * share);
      const result = await convert(input, to, { targetSize });
      assert.ok(result.outputSize <= targetSize && result.blob.size === result.outputSize, `${result.outputSize} of ${targetSize}`);
      const { width, height } = await decode(await result.bytes(), result.type);
      assert.deepEqual([result.width, result.height], [width, height]);
      assert.equal(codes(result).includes("resized_to_fit"), width !== 150);
    }
  });
}

test("what fits already is handed back, and what is asked beside it is done", async () => {
  const kept = await compress(input, { targetSize: input.length });
  assert.deepEqual([kept.keptOriginal, kept.outputSize, kept.quality], [true, input.length, undefined]);
  const smaller = await compress(input, { targetSize: input.length, resize: { width: 60 } });
  assert.deepEqual([smaller.keptOriginal, smaller.width], [false, 60]);
});

test("an exact size and every pixel are kept, or the target is refused with the least that there is", async () => {
  const refused = [
    ["jpeg", { resize: { width: 120 } }],
    ["avif", { resize: { height: 90 } }],
    ["webp", { resize: { width: 120, height: 50 } }],
    ["png", { lossless: true }],
    ["webp", { lossless: true }],
  ];
  for (const [to, options] of refused) {
    const { details, message } = await fail(convert(input, to, { ...options, targetSize: 150 }), "LimitError", "target_unreachable");
    assert.equal(details.limit, 150);
    assert.ok(Number.isInteger(details.smallest) && details.smallest > 150, `${to}: ${JSON.stringify(details)}`);
    assert.match(message, new RegExp(`\\b${details.smallest.toLocaleString("en")}|\\b${details.smallest}`));
    const reached = await convert(input, to, { ...options, targetSize: details.smallest });
    assert.ok(reached.outputSize <= details.smallest, `${to}: ${reached.outputSize} where ${details.smallest} was told`);
  }
  await fail(convert(input, "jpeg", { targetSize: 1 }), "LimitError", "target_unreachable");
});

test("quality is the highest that a target takes", async () => {
  const loose = await convert(input, "jpeg", { targetSize: 1_000_000, quality: 70 });
  assert.equal(loose.quality, 70);
  const tight = await convert(input, "jpeg", { targetSize: loose.outputSize - 1, quality: 70 });
  assert.ok(tight.quality < 70, `${tight.quality}`);
});

for (const to of ["jpeg", "webp", "avif", "png"]) {
  test(`${to}: an automatic quality tells what it found`, async () => {
    const good = await convert(input, to, { quality: "auto" });
    const poor = await convert(input, to, { quality: "auto", minScore: 50 });
    for (const [result, least] of [[good, 80], [poor, 50]]) {
      // A PNG that is smaller with every pixel has no quality.
      const exact = to === "png" && result.score === 100;
      assert.ok(exact || (Number.isInteger(result.quality) && result.quality >= 1 && result.quality <= 100), `quality ${result.quality}`);
      assert.ok(result.score <= 100 && (result.score >= least || codes(result).includes("score_unreached")), `score ${result.score}`);
    }
    assert.ok(poor.outputSize <= good.outputSize && poor.quality <= (good.quality ?? 100), `${poor.outputSize} of ${good.outputSize}`);
  });
}

test("a quality is told where there is one, a score where it was measured", async () => {
  const told = async (to, options) => {
    const { quality, score } = await convert(input, to, options);
    return [quality, score];
  };
  assert.deepEqual(await told("jpeg"), [80, undefined]);
  assert.deepEqual(await told("webp", { quality: 33 }), [33, undefined]);
  assert.deepEqual(await told("avif"), [60, undefined]);
  assert.deepEqual(await told("png"), [undefined, undefined]);
  assert.deepEqual(await told("png", { quality: 50 }), [50, undefined]);
  assert.deepEqual(await told("webp", { lossless: true }), [undefined, undefined]);
});

test("what cannot be searched is refused or said", async () => {
  await fail(convert(input, "jpeg", { quality: "auto", targetSize: 5000 }), "OptionsError", "invalid_option");
  assert.deepEqual(codes(await convert(input, "bmp", { quality: "auto" })), ["option_ignored"]);
  assert.deepEqual(codes(await convert(input, "jpeg", { minScore: 70 })), ["option_ignored"]);
});

test("an animation keeps to a target too", async () => {
  const gif = await sample("animated.gif", [320, 208]);
  const plain = await convert(gif, "webp");
  const targetSize = Math.round(plain.outputSize * 0.6);
  const result = await convert(gif, "webp", { targetSize });
  assert.ok(result.outputSize <= targetSize, `${result.outputSize} of ${targetSize}`);
});
