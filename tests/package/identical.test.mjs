// The same input and options give the same bytes in every browser engine, in Node, in workerd and natively.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { generatedCases, photoCases } from "./support/cases.mjs";
import { decode, difference } from "./support/decode.mjs";
import { ENGINES } from "./support/engines.mjs";
import { inEngine, inNode, inWorkerd, natively } from "./support/runtimes.mjs";

const consumer = createConsumer();
const inEngines = Object.entries(ENGINES).map(([name, launch]) => [name, (consumer) => inEngine(launch, consumer)]);
const opening = { native: natively, Node: inNode, workerd: inWorkerd, ...Object.fromEntries(inEngines) };
const runtimes = {};
after(() => Promise.all(Object.values(runtimes).map(({ close }) => close())));
for (const [name, open] of Object.entries(opening)) runtimes[name] = await open(consumer);

const generated = await generatedCases();
const photos = photoCases();

test("there is enough to compare", () => {
  assert.ok(generated.length >= 150, `${generated.length} generated cases`);
  assert.ok(photos.length >= 14, `${photos.length} photographs`);
  assert.equal(Object.keys(runtimes).length, 7);
});

/**
 * Natively alone, lossless WebP may have other bytes: rusty_webp orders symbols of equal frequency by a sort whose order
 * depends on the word size of the machine.
 */
const mayDifferNatively = ({ type }, { lossless }) => type === "image/webp" && lossless === true;

for (const { name, bytes, options } of [...generated, ...photos]) {
  test(name, async () => {
    const outcomes = await Promise.all(Object.entries(runtimes).map(async ([runtime, { run }]) => [runtime, await run(bytes, options)]));
    const [[, native], [, first]] = outcomes;
    const told = outcomes.map(([runtime, outcome]) => `  ${runtime.padEnd(36)} ${JSON.stringify(outcome)}`).join("\n");
    for (const [runtime, outcome] of outcomes.slice(1)) {
      assert.ok(outcome.sha256, `${runtime} failed:\n${told}`);
      assert.deepEqual(outcome, first, `${outcome.type} written by ${runtime} differs from Node's:\n${told}`);
    }
    if (mayDifferNatively(first, options) && native.sha256 !== first.sha256) return assertSamePicture(bytes, options, first, native);
    assert.deepEqual(native, first, `${native.type} written natively differs from WebAssembly's:\n${told}`);
  });
}

/** Holds the pictures against each other where the bytes are not the same. */
async function assertSamePicture(bytes, options, first, native) {
  assert.deepEqual({ ...native, sha256: first.sha256, size: first.size }, first);
  const [one, other] = await Promise.all([runtimes.native, runtimes.Node].map(async ({ make }) => decode(await make(bytes, options), first.type)));
  assert.equal(difference(one, other), 0);
}
