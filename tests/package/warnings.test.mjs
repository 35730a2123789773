// What a result warns of, and that nothing else does.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";

const { compress } = await createConsumer().import();

const cases = [
  ["animated.gif", { to: "png" }, ["animation_dropped"]],
  ["animated.webp", { to: "jpeg" }, ["animation_dropped"]],
  ["animated.png", { resize: { width: 10 } }, ["animation_dropped"]],
  ["animated.png", {}, ["animation_kept"]],
  ["animated.gif", { to: "png", animation: "first" }, []],
  ["animated.gif", { resize: { width: 10 } }, []],
  ["pages.tiff", { to: "png" }, ["pages_dropped"]],
  ["pages.tiff", {}, []],
  ["rgba.png", { to: "jpeg" }, ["alpha_flattened"]],
  ["rgba.png", { to: "pnm" }, ["alpha_flattened"]],
  ["rgba.png", { to: "hdr" }, ["alpha_flattened"]],
  ["alpha.exr", { to: "jpeg" }, ["alpha_flattened"]],
  ["rgb.png", { to: "gif" }, ["colors_reduced"]],
  ["rgb.png", { quality: 60 }, ["colors_reduced"]],
  ["wide-gamut.jpg", { to: "qoi" }, ["color_converted"]],
  ["wide-gamut.jpg", { to: "qoi", metadata: "keep" }, ["color_converted"]],
  ["baseline.jpg", { to: "ico", resize: { width: 400 } }, ["resized_to_fit"]],
  ["baseline.jpg", { targetSize: 700 }, ["resized_to_fit"]],
  ["bits.pbm", { to: "jpeg", quality: "auto", minScore: 100 }, ["score_unreached"]],
  ["baseline.jpg", { to: "bmp", quality: 50 }, ["option_ignored"]],
  ["baseline.jpg", { to: "png" }, []],
  ["baseline.jpg", { quality: 50 }, []],
  ["baseline.jpg", { lossless: true }, []],
  ["rgba.png", { to: "webp" }, []],
  ["rgba.png", { to: "avif" }, []],
  ["rgba.png", { to: "exr" }, []],
  ["coded.hdr", { to: "png" }, []],
  ["bright.hdr", { to: "png" }, ["tone_mapped"]],
  ["bright.hdr", { to: "exr" }, []],
  ["drawn.svg", { to: "png" }, []],
  ["palette.png", { to: "gif" }, []],
];

for (const [name, options, expected] of cases) {
  test(`${name} ${JSON.stringify(options)} warns of ${expected.join() || "nothing"}`, async () => {
    const { warnings } = await compress(await sample(name), options);
    assert.deepEqual(warnings.map(({ code }) => code), expected);
    for (const { message } of warnings) assert.match(message, /^\S.{15,}\.$/);
  });
}

test("an icon holds 256 pixels a side at most", async () => {
  const { width, height } = await compress(await sample("baseline.jpg"), { to: "ico", resize: { width: 400 } });
  assert.deepEqual([width, height], [256, 166]);
});
