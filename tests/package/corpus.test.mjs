// The corpus of image-rs through the full build, where it is there: what should decode does or is listed, and what is broken,
// whole or damaged further, is a result or an error with a code. The engine's own tests walk the same files natively.
import { strict as assert } from "node:assert";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";
import { createWalk } from "./support/walk.mjs";

const corpus = fileURLToPath(new URL("../../../shared/corpus/image-rs/", import.meta.url));
const skip = existsSync(corpus) ? false : "extra material that is not here";
/** `path: reason` a line; the native tests read the same list. */
const refused = readFileSync(new URL("../corpus-refused.txt", import.meta.url), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));

const consumer = createConsumer();
const { formats } = await consumer.import();
const types = await formats();
const { walk, close } = createWalk(consumer.installed, "full", await sample("baseline.jpg"));
after(close);

/** Paths from the corpus's root. */
const filesIn = (folder) => readdirSync(join(corpus, folder), { recursive: true }).map((name) => join(folder, name)).filter((name) => statSync(join(corpus, name)).isFile());

/** Walks one file of the corpus; `count` damaged copies of each kind. */
function walkFile(name, count) {
  const type = types.find(({ extensions }) => extensions.includes(extname(name).slice(1).toLowerCase()))?.type;
  return walk(new Uint8Array(readFileSync(join(corpus, name))), { to: "bmp", limits: { maxPixels: 4_000_000 } }, count, 0, type);
}

test("what should decode does, or is listed with the reason", { skip }, async () => {
  const names = [...filesIn("images"), ...filesIn("reference")];
  assert.equal(names.length, 363);
  const failed = [];
  for (const name of names) {
    const { decoded, faults } = await walkFile(name, 0);
    assert.deepEqual(faults, [], name);
    if (!decoded) failed.push(name);
  }
  assert.deepEqual(failed.sort(), refused.map((line) => line.split(": ")[0]).sort());
});

test("what is broken, and all that is small, damaged further", { skip }, async () => {
  const broken = [...filesIn("bad"), ...filesIn("regression")];
  assert.equal(broken.length, 27);
  const small = [...filesIn("images"), ...filesIn("reference")].filter((name) => statSync(join(corpus, name)).size < 64 * 1024);
  assert.ok(small.length >= 270, `${small.length} files`);
  for (const name of [...broken, ...small]) {
    const { cuts, flips, faults } = await walkFile(name, 64);
    assert.deepEqual(faults.slice(0, 5), [], `${name}: ${faults.length} faults`);
    const { size } = statSync(join(corpus, name));
    assert.ok(cuts >= Math.min(64, size - 1) && flips >= 2 * Math.min(64, size - 1), `${name}: ${cuts} cuts, ${flips} flips`);
  }
});
