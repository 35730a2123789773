// Damaged files: truncated at every stride, and with bytes flipped at a stride. Each gives an error with a code or a
// picture; nothing hangs, no instance dies, and the next call succeeds.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { cuts, flips } from "./support/mutations.mjs";
import { coreSampleNames, sample, sampleNames, samples } from "./support/samples.mjs";
import { createWalk } from "./support/walk.mjs";

const consumer = createConsumer();
const { compress, FilepressError } = await consumer.import();
const good = await sample("baseline.jpg");
const files = await samples([96, 64]);
const core = createWalk(consumer.installed, "core", good);
const full = createWalk(consumer.installed, "full", good);
after(() => Promise.all([core.close(), full.close()]));

const walked = { files: 0, cuts: 0, flips: 0 };

/** Walks one file and holds the report against what is promised. */
async function check(bytes, options, count, head, { walk } = core) {
  const { decoded, cuts, flips, refused, codes, faults } = await walk(bytes, options, count, head);
  // Which build a call needs may show only in the file.
  assert.ok(decoded || codes.not_in_build > 0, "the file itself is refused");
  assert.deepEqual(faults.slice(0, 5), [], `${faults.length} faults`);
  assert.ok(cuts >= Math.min(64, bytes.length - 1) && flips >= 2 * Math.min(64, bytes.length - 1), `${cuts} cuts, ${flips} flips`);
  walked.files += 1;
  walked.cuts += cuts;
  walked.flips += flips;
  return refused;
}

for (const name of coreSampleNames) {
  test(`${name}, damaged`, async () => {
    const refused = await check(files.get(name), { effort: 0 }, 256, 128);
    assert.ok(refused > 10, `only ${refused} were refused`);
    await check(files.get(name), { to: "bmp", resize: { width: 20 } }, 128, 64);
  });
}

for (const name of sampleNames.filter((name) => !coreSampleNames.includes(name))) {
  test(`${name}, damaged`, async () => {
    const refused = await check(files.get(name), { to: "bmp", resize: { width: 20 } }, 256, 128, full);
    assert.ok(refused > 10, `only ${refused} were refused`);
  });
}

/** What only the full build does. */
const beyond = {
  "baseline.jpg": { lossless: true },
  "progressive.jpg": { lossless: true },
  "cmyk.jpg": { lossless: true },
  "wide-gamut.jpg": { to: "bmp" },
  "gray.png": { effort: 9, resize: { width: 8 } },
};
for (const [name, options] of Object.entries(beyond)) {
  test(`${name} ${JSON.stringify(options)}, damaged`, async () => {
    await check(files.get(name), options, 256, 128, full);
  });
}

test("all samples were walked", () => {
  assert.equal(walked.files, sampleNames.length + coreSampleNames.length + Object.keys(beyond).length);
  assert.ok(walked.cuts >= walked.files * 192 && walked.flips >= walked.files * 384, JSON.stringify(walked));
});

test("through the public function: every damaged file settles, and the next call succeeds", async () => {
  const expected = await (await compress(good)).bytes();
  let calls = 0;
  for (const [name, bytes] of files) {
    const damaged = [...cuts(bytes, 8, 0), ...flips(bytes, 8, 0)];
    const settled = await Promise.allSettled(damaged.map((one) => compress(one.bytes, { signal: AbortSignal.timeout(600_000) })));
    const outcomes = settled.map(({ reason }, index) => ({ what: damaged[index].what, error: reason }));
    for (const { what, error } of outcomes) {
      if (!error) continue;
      assert.ok(error instanceof FilepressError, `${name}, ${what}: ${error}`);
      assert.equal(error.kind, "input", `${name}, ${what}: ${error.code}: ${error.message}`);
    }
    assert.ok(outcomes.some(({ error }) => error), name);
    assert.deepEqual(await (await compress(good)).bytes(), expected);
    calls += outcomes.length;
  }
  assert.ok(calls >= sampleNames.length * 24, `${calls} calls`);
});
