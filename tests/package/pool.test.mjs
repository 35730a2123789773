// The number of workers for a batch: one per core, fewer if memory is scarce. Tests simulate machines by overriding
// what Node reports.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";

const GIB = 2 ** 30;
const CALLS = 20;
const consumer = createConsumer();
const photo = consumer.write("photo.jpg", await sample("baseline.jpg"));
/** What a program begins with: a machine as its arguments say, the package, and the number of workers that were started and run. */
const machine = `
  import { readFileSync } from "node:fs";
  import { createRequire, syncBuiltinESMExports } from "node:module";
  const require = createRequire(import.meta.url);
  const [cores, total, given, photo] = process.argv.slice(2);
  const os = require("node:os");
  const threads = require("node:worker_threads");
  os.availableParallelism = () => Number(cores);
  os.totalmem = () => Number(total);
  process.constrainedMemory = () => Number(given);
  let running = 0, most = 0, started = 0;
  threads.Worker = class extends threads.Worker {
    constructor(...given) {
      super(...given);
      started++;
      most = Math.max(most, ++running);
      this.once("exit", () => running--);
    }
  };
  syncBuiltinESMExports();
  const { compress } = await import("filepress");
  const bytes = readFileSync(photo);`;
const program = consumer.write(
  "batch.mjs",
  `${machine}
  const results = await Promise.all(Array.from({ length: ${CALLS} }, () => compress(bytes, { to: "image/webp" })));
  console.log(JSON.stringify({ most, results: results.filter(({ width }) => width === 160).length }));`,
);

/** Runs a batch on a machine of `cores` and `total` bytes of memory, of which a container is `given` some (0: all). */
function batch(cores, total, given = 0) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, cores, total, given, photo].map(String), { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const { most, results } = JSON.parse(stdout);
  assert.equal(results, CALLS);
  return most;
}

test("every core has a worker, up to eight", () => {
  assert.equal(batch(3, 64 * GIB), 3);
  assert.equal(batch(24, 64 * GIB), 8);
});

test("short memory means fewer workers, and the batch is done all the same", () => {
  assert.equal(batch(8, 2 * GIB), 4);
  assert.equal(batch(8, GIB / 4), 1);
});

test("what counts is the memory that a container is given", () => {
  assert.equal(batch(8, 64 * GIB, GIB), 2);
  assert.equal(batch(8, 2 * GIB, 64 * GIB), 4);
});

test("a header that claims more than is allowed takes no other picture's worker away", () => {
  const claim = consumer.write("claims.mjs", `${machine}
    const batch = () => Promise.all(Array.from({ length: 3 }, () => compress(bytes, { to: "image/webp" })));
    await batch();
    // SOF0: marker, length, precision, height, width.
    const claims = Buffer.from(bytes);
    claims.fill(0xff, claims.indexOf(Buffer.from([0xff, 0xc0])) + 5, claims.indexOf(Buffer.from([0xff, 0xc0])) + 9);
    const { code } = await compress(claims, { to: "image/webp" }).catch((error) => error);
    await batch();
    console.log(JSON.stringify({ code, started }));`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [claim, 3, 4 * GIB, 0, photo].map(String), { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { code: "too_many_pixels", started: 3 });
});

test("a build that has no instance fails every call that waits for it", () => {
  // A module with the export of the build, and an import that nobody provides.
  const module = "0061736d01000000" + "010401600000" + "020701017801790000" + "070c010869735f70686f746f0000";
  const broken = consumer.write("broken.mjs", `${machine}
    const { init } = await import("filepress");
    await init({ wasm: { photo: Buffer.from("${module}", "hex") } });
    const codes = await Promise.all(Array.from({ length: 5 }, () => compress(bytes).then(() => "done", ({ code }) => code)));
    console.log(JSON.stringify(codes));`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [broken, 2, 4 * GIB, 0, photo].map(String), { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), Array(5).fill("engine_load"));
});
