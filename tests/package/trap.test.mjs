// A trap, which leaves a WebAssembly instance unusable. It is a real one: V8 is told to give out little memory, and a large
// picture needs more.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const consumer = createConsumer();
consumer.write("small.jpg", await sample("baseline.jpg"));
consumer.write("large.jpg", await toSharp(photo(2400, 1800)).removeAlpha().jpeg().toBuffer());

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
