// Memory of WebAssembly never shrinks, so what grows from call to call grows for ever: calls of all types, one after another
// on one instance, need no more of it than the first ones did.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { encode, rasterTypes } from "./support/encode.mjs";
import { openEngine } from "./support/engine.mjs";
import { photo } from "./support/pictures.mjs";

const CALLS = 100;
const MB = 2 ** 20;
const consumer = createConsumer();
const types = rasterTypes(await (await consumer.import()).formats());
const picture = photo(200, 140);
const inputs = await Promise.all(types.map((type) => encode(picture, type)));

/** Call number `index`: every type in turn, each time into another one. */
const call = (index) => ({ input: inputs[index % inputs.length], to: types[(index + Math.floor(index / inputs.length)) % types.length] });
/** The last ten are the first ten once more: where something has leaked, they meet less room than before. */
const calls = Array.from({ length: CALLS }, (_, index) => call(index < CALLS - 10 ? index : index - (CALLS - 10)));

/** `sizes` in bytes, after each call; the first `warm` may need more and more. */
function assertSteady(sizes, warm = 10) {
  assert.equal(sizes.length, CALLS);
  assert.ok(sizes[0] > MB, `${sizes[0]} bytes`);
  const shown = sizes.map((size) => (size / MB).toFixed(1)).join(" ");
  assert.equal(Math.max(...sizes.slice(warm)), Math.max(...sizes.slice(0, warm)), `MB after each call: ${shown}`);
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
  // Calls are divided between two engines: each has had every type when all went by twice.
  assertSteady(sizes, 2 * types.length);
});
