// The same input and options give the same bytes in Chromium, in Node, in workerd and natively.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { generatedCases, photoCases } from "./support/cases.mjs";
import { decode, difference } from "./support/decode.mjs";
import { inChromium, inNode, inWorkerd, natively } from "./support/runtimes.mjs";

const consumer = createConsumer();
const opening = { native: natively, node: inNode, workerd: inWorkerd, chromium: inChromium };
const runtimes = {};
after(() => Promise.all(Object.values(runtimes).map(({ close }) => close())));
for (const [name, open] of Object.entries(opening)) runtimes[name] = await open(consumer);

const generated = await generatedCases();
const photos = photoCases();

test("there is enough to compare", () => {
  assert.ok(generated.length >= 80, `${generated.length} generated cases`);
  assert.ok(photos.length >= 14, `${photos.length} photographs`);
  assert.equal(Object.keys(runtimes).length, 4);
});

/**
 * The one exception, told in the README: rusty_webp orders symbols of equal frequency by a sort whose order depends on the
 * word size of the machine. Natively, lossless WebP has other bytes and the same pixels.
 */
const differsNatively = ({ to, lossless }) => to === "webp" && lossless === true;

for (const { name, bytes, options } of [...generated, ...photos]) {
  test(name, async () => {
    const outcomes = await Promise.all(Object.entries(runtimes).map(async ([runtime, { run }]) => [runtime, await run(bytes, options)]));
    const [[, native], [, first]] = outcomes;
    const told = outcomes.map(([runtime, outcome]) => `  ${runtime.padEnd(9)} ${JSON.stringify(outcome)}`).join("\n");
    for (const [runtime, outcome] of outcomes.slice(1)) {
      assert.ok(outcome.sha256, `${runtime} failed:\n${told}`);
      assert.deepEqual(outcome, first, `${outcome.type} written by ${runtime} differs from Node's:\n${told}`);
    }
    if (differsNatively(options)) return assertSamePicture(bytes, options, first, native);
    assert.deepEqual(native, first, `${native.type} written natively differs from WebAssembly's:\n${told}`);
  });
}

async function assertSamePicture(bytes, options, first, native) {
  assert.deepEqual({ ...native, sha256: first.sha256 }, first);
  const [one, other] = await Promise.all([runtimes.native, runtimes.node].map(async ({ make }) => decode(await make(bytes, options), first.type)));
  assert.equal(difference(one, other), 0);
}
