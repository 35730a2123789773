// WebAssembly memory never shrinks, so a leak would grow forever: repeated calls of all formats on one instance need
// no more memory than the first ones.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { encode, rasterTypes } from "./support/encode.mjs";
import { openEngine } from "./support/engine.mjs";
import { photo } from "./support/pictures.mjs";
import { sample } from "./support/samples.mjs";

const CALLS = 100;
const MB = 2 ** 20;
const consumer = createConsumer();
const types = rasterTypes(await (await consumer.import()).formats());
const picture = photo(200, 140);
const still = await Promise.all(types.map(async (type) => [type, await encode(picture, type)]));
const inputs = new Map([...still, ["moving GIF", await sample("animated.gif", [200, 140])], ["moving WebP", await sample("animated.webp", [200, 140])]]);

/** The first calls: of either build, those that ask for most. */
const first = [
  ["image/gif", "image/x-icon"],
  ["image/png", "image/gif"],
  ["image/webp", "image/png"],
  ["moving GIF", "image/webp"],
  ["image/jpeg", "image/webp"],
  ["moving WebP", "image/gif"],
  ["image/x-exr", "image/avif"],
  ["image/avif", "image/x-exr"],
  ["image/tiff", "image/avif"],
  ["image/png", "image/jpeg"],
  ["image/png", "image/x-icon"],
  ["image/x-exr", "image/png"],
  ["image/vnd.radiance", "image/tiff"],
];
/** Call number `index`: every input in turn, each time into another type. */
function call(index) {
  const [input, to] = first[index] ?? [[...inputs.keys()][index % inputs.size], types[(index + Math.floor(index / inputs.size)) % types.length]];
  return { input: inputs.get(input), to };
}
/** The last ones are the first ones once more: where something has leaked, they meet less room than before. */
const calls = Array.from({ length: CALLS }, (_, index) => call(index < CALLS - first.length ? index : index - (CALLS - first.length)));

/** `sizes` in bytes, after each call; the first ones may need more and more. */
function assertSteady(sizes) {
  assert.ok(calls.every(({ input }) => input?.length > 0));
  assert.equal(sizes.length, CALLS);
  assert.ok(sizes[0] > MB, `${sizes[0]} bytes`);
  const shown = sizes.map((size) => (size / MB).toFixed(1)).join(" ");
  assert.equal(Math.max(...sizes.slice(first.length)), Math.max(...sizes.slice(0, first.length)), `MB after each call: ${shown}`);
}

test("on an instance of the full build", async () => {
  const engine = await openEngine(consumer.installed, "full");
  const sizes = calls.map(({ input, to }) => {
    engine.process(input, undefined, { to }, undefined);
    return engine.memory_bytes();
  });
  assertSteady(sizes);
});

test("through the package, on the calling thread", async () => {
  const memories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate.apply(WebAssembly, given);
    memories.push((made.instance ?? made).exports.memory);
    return made;
  };
  // Node has no Worker of the web, so the browser's entry works on the calling thread. Installed anew, since the scripts that
  // were imported before have their instances.
  const { installed } = createConsumer();
  const { convert, init } = await import(pathToFileURL(join(installed, "index.browser.js")));
  const wasm = (build) => readFileSync(join(installed, "wasm", build, "filepress_bg.wasm"));
  await init({ client: wasm("client"), core: wasm("core"), full: wasm("full") });
  const sizes = [];
  for (const { input, to } of calls) {
    await convert(input, to);
    sizes.push(memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
  }
  WebAssembly.instantiate = instantiate;
  assert.ok(memories.length >= 3, `${memories.length} instances`);
  assertSteady(sizes);
});
