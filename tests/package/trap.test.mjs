// A real trap, which leaves a WebAssembly instance unusable: V8 gets little memory, and a large picture needs more.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const consumer = createConsumer();
consumer.write("small.jpg", await sample("baseline.jpg"));
consumer.write("large.jpg", await toSharp(photo(3000, 2250)).removeAlpha().jpeg().toBuffer());

/** What a process without much memory makes of the large picture between small ones. */
function run(opening) {
  const program = `
    import { readFile } from "node:fs/promises";
    ${opening}
    const [small, large] = await Promise.all([readFile("small.jpg"), readFile("large.jpg")]);
    const told = (call) => call.then(({ outputSize }) => outputSize, ({ name, code, kind, message }) => ({ name, code, kind, message }));
    const first = await told(compress(small));
    const rounds = [];
    for (const to of ["webp", "bmp", "farbfeld"]) rounds.push({ trap: await told(compress(large, { to })), next: await told(compress(small)) });
    const together = await Promise.all([small, large, small, large, small].map((input) => told(compress(input, { to: "png" }))));
    console.log(JSON.stringify({ first, rounds, together }));`;
  const output = execFileSync(process.execPath, ["--wasm-max-mem-pages=300", "--input-type=module", "-e", program], { cwd: consumer.folder, encoding: "utf8" });
  return JSON.parse(output);
}

const openings = {
  "in a worker": 'import { compress } from "filepress";',
  // Node has no Worker of the web, so the browser's entry works on the calling thread, as it does in service workers.
  "on the calling thread": `
    import { compress, init } from "./node_modules/filepress/index.browser.js";
    const wasm = (build) => readFile(\`node_modules/filepress/wasm/\${build}/filepress_bg.wasm\`);
    await init({ client: wasm("client"), core: wasm("core") });`,
};

for (const [where, opening] of Object.entries(openings)) {
  test(`a trap ${where} is an error with words, and the next call succeeds`, () => {
    const { first, rounds, together } = run(opening);
    assert.ok(first > 0);
    for (const { trap, next } of rounds) {
      assert.deepEqual([trap.name, trap.code, trap.kind], ["InternalError", "engine_trap", "internal"]);
      assert.match(trap.message, /memory/);
      assert.equal(next, first);
    }
    assert.deepEqual(together.map((outcome) => typeof outcome), ["number", "object", "number", "object", "number"]);
  });
}

/** A module whose `run` reads the address that its import gives: `(func (export "run") (result i32) (i32.load8_u (call $address)))`. */
const READER = Buffer.from(
  "0061736d0100000001050160" + "00017f" + "020f0103656e760761646472657373" + "0000" + "03020100" + "0503010001" + "07070103" + "72756e" + "0001" + "0a0901" + "0700" + "1000" + "2d0000" + "0b",
  "hex",
);

/** What `Engine` makes of an export that reads `addresses`, one at each call, and how many instances there were. */
async function read(...addresses) {
  const { Engine } = await consumer.import("./node_modules/filepress/lib/engine.js");
  const module = new WebAssembly.Module(READER);
  let instances = 0;
  const glue = { last_panic: () => undefined, __wbg_reset_state() {} };
  const start = () => {
    instances++;
    glue.process = new WebAssembly.Instance(module, { env: { address: () => addresses.shift() } }).exports.run;
  };
  const outcome = await new Engine("core", glue, module, start).callStateless("process").catch(({ code, message }) => ({ code, message }));
  return { outcome, instances };
}

test("what read out of bounds is tried once more, in a fresh instance", async () => {
  const beyond = 1 << 20;
  assert.deepEqual(await read(0), { outcome: 0, instances: 1 });
  assert.deepEqual(await read(beyond, 0), { outcome: 0, instances: 2 });
  const { outcome, instances } = await read(beyond, beyond, 0);
  assert.deepEqual([outcome.code, instances], ["engine_trap", 2]);
  assert.match(outcome.message, /out of bounds/);
});
