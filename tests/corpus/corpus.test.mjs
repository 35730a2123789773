// The image-rs corpus in the full build: valid files decode or are listed with a reason; broken files, and valid
// files that are damaged here, give a result or an error with a code. `make test-corpus CORPUS=…` runs this and the
// native tests over the same files.
import { strict as assert } from "node:assert";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { env } from "node:process";
import { after, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { sample } from "../package/support/samples.mjs";
import { createWalk } from "../package/support/walk.mjs";

assert.ok(env.CORPUS, "CORPUS names the folder of the corpus");
const corpus = join(env.CORPUS, "image-rs");
/** `path: reason` a line; the native tests read the same list. */
const refused = readFileSync(new URL("./refused.txt", import.meta.url), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));

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

test("what should decode does, or is listed with the reason", async () => {
  const names = [...filesIn("images"), ...filesIn("reference")];
  assert.equal(names.length, 363);
  const failed = [];
  for (const name of names) {
    const { decoded, faults } = await walkFile(name, 0);
    assert.deepEqual(faults, [], name);
    if (!decoded) failed.push(name);
  }
  assert.deepEqual(failed.sort(), refused.map((line) => line.split(": ")[0]).sort());
  console.log(`what should decode: walked ${names.length} files`);
});

test("what is broken, and all that is small, damaged further", async () => {
  const broken = [...filesIn("bad"), ...filesIn("regression")];
  assert.equal(broken.length, 27);
  const small = [...filesIn("images"), ...filesIn("reference")].filter((name) => statSync(join(corpus, name)).size < 64 * 1024);
  assert.ok(small.length >= 270, `${small.length} files`);
  console.log(`what is broken, and all that is small: walking ${broken.length + small.length} files`);
  for (const name of [...broken, ...small]) {
    const { cuts, flips, faults } = await walkFile(name, 64);
    assert.deepEqual(faults.slice(0, 5), [], `${name}: ${faults.length} faults`);
    const { size } = statSync(join(corpus, name));
    assert.ok(cuts >= Math.min(64, size - 1) && flips >= 2 * Math.min(64, size - 1), `${name}: ${cuts} cuts, ${flips} flips`);
  }
});
