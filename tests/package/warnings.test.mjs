// What a result warns of, and that nothing else does.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";

const { compress } = await createConsumer().import();

const cases = [
  ["animated.gif", { to: "png" }, ["animation_dropped"]],
  ["animated.webp", { to: "jpeg" }, ["animation_dropped"]],
  ["animated.png", { resize: { width: 10 } }, ["animation_dropped"]],
  ["animated.gif", {}, ["animation_kept"]],
  ["rgba.png", { to: "jpeg" }, ["alpha_flattened"]],
  ["rgba.png", { to: "pnm" }, ["alpha_flattened"]],
  ["rgb.png", { to: "gif" }, ["colors_reduced"]],
  ["rgb.png", { quality: 60 }, ["colors_reduced"]],
  ["wide-gamut.jpg", { to: "qoi" }, ["color_converted"]],
  ["wide-gamut.jpg", { to: "qoi", metadata: "keep" }, ["color_converted"]],
  ["baseline.jpg", { to: "ico", resize: { width: 400 } }, ["resized_to_fit"]],
  ["baseline.jpg", { to: "bmp", quality: 50 }, ["option_ignored"]],
  ["baseline.jpg", { to: "png" }, []],
  ["baseline.jpg", { quality: 50 }, []],
  ["baseline.jpg", { lossless: true }, []],
  ["rgba.png", { to: "webp" }, []],
  ["palette.png", { to: "gif" }, []],
];

for (const [name, options, expected] of cases) {
  test(`${name} ${JSON.stringify(options)} warns of ${expected.join() || "nothing"}`, async () => {
    const { warnings } = await compress(await sample(name), options);
    assert.deepEqual(warnings.map(({ code }) => code), expected);
    for (const { message } of warnings) assert.match(message, /^\S.{15,}\.$/);
  });
}

test("an animation that is kept keeps all of its frames", async () => {
  for (const name of ["animated.gif", "animated.webp"]) {
    const { blob, keptOriginal } = await compress(await sample(name));
    assert.equal(keptOriginal, true);
    assert.equal((await sharp(await blob.arrayBuffer(), { pages: -1 }).metadata()).pages, 3);
  }
});

test("an icon holds 256 pixels a side at most", async () => {
  const { width, height } = await compress(await sample("baseline.jpg"), { to: "ico", resize: { width: 400 } });
  assert.deepEqual([width, height], [256, 166]);
});
