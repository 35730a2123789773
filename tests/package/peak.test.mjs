// Peak memory of a call on a large photo: it fits into a Worker of 128 MB, beside the script's own copies.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { openEngine } from "./support/engine.mjs";
import { photo } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";

const MB = 1e6;
const consumer = createConsumer();
const engine = await openEngine(consumer.installed, "core");
const jpeg = (width, height, settings) =>
  toSharp(photo(400, 300)).removeAlpha().resize(width, height, { fit: "fill" }).jpeg({ quality: 90, ...settings }).toBuffer();

/** Bytes of WebAssembly memory after the one call that an instance has seen: memory never shrinks, so that this was the peak. */
function peak(input, settings, [width, height], build = engine) {
  build.restart();
  const { report } = build.process(input, undefined, settings, undefined);
  assert.deepEqual([report.width, report.height], [width, height]);
  return build.memory_bytes();
}

test("12 megapixels to a WebP of 1600 pixels", async () => {
  const webp = { to: "image/webp", resize: { maxWidth: 1600, maxHeight: 1600 } };
  const across = peak(await jpeg(4000, 3000), webp, [1600, 1200]);
  assert.ok(across <= 48 * MB, `${across} bytes`);
  const upright = peak(await jpeg(3024, 4032, { chromaSubsampling: "4:4:4" }), webp, [1200, 1600]);
  assert.ok(upright <= 48 * MB, `${upright} bytes`);
});

test("12 megapixels of other types to 1600 pixels", async () => {
  const pixels = toSharp(photo(400, 300)).removeAlpha().resize(4032, 3024, { fit: "fill" });
  const full = await openEngine(consumer.installed, "full");
  const inputs = [
    ["png", engine, await pixels.clone().png().toBuffer()],
    ["webp", engine, await pixels.clone().webp({ quality: 80 }).toBuffer()],
    ["lossless webp", engine, await pixels.clone().webp({ lossless: true, effort: 1 }).toBuffer()],
    ["avif", full, await pixels.clone().avif({ quality: 60, effort: 0, chromaSubsampling: "4:2:0" }).toBuffer()],
  ];
  for (const [name, build, input] of inputs) {
    for (const to of ["image/jpeg", "image/webp"]) {
      const bytes = peak(input, { to, resize: { width: 1600 } }, [1600, 1200], build);
      assert.ok(bytes <= 64 * MB, `${name} of ${input.length} bytes to ${to}: ${bytes} bytes`);
    }
  }
});

test("a thumbnail takes less than a tenth of its photo's pixels", async () => {
  const input = await jpeg(4000, 3000);
  const bytes = peak(input, { to: "image/jpeg", resize: { width: 240 } }, [240, 180]);
  assert.ok(bytes <= input.length + (4000 * 3000 * 3) / 10 + 3 * MB, `${bytes} bytes`);
});

test("10 megapixels to a JPEG of the same size", async () => {
  const bytes = peak(await jpeg(3872, 2592), { to: "image/jpeg", quality: 75 }, [3872, 2592]);
  assert.ok(bytes <= 90 * MB, `${bytes} bytes`);
});

test("6 megapixels from PNG to PNG take hardly more than the file and its pixels", async () => {
  const input = await toSharp(photo(400, 300)).removeAlpha().resize(3000, 2000, { fit: "fill" }).blur(4).png({ compressionLevel: 1 }).toBuffer();
  assert.ok(input.length > 5 * MB, `${input.length} bytes`);
  const bytes = peak(input, {}, [3000, 2000]);
  assert.ok(bytes <= input.length + 3000 * 2000 * 3 * 1.2 + 4 * MB, `${bytes} bytes for ${input.length}`);
});
