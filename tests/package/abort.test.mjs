// Calls that end early: by an abort, or because the process ends.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createConsumer } from "./support/consumer.mjs";
import { failureOf, failureWithin } from "./support/failure.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

/** Each job that a worker was given, and how many results it had. */
const jobs = [];
const threads = createRequire(import.meta.url)("node:worker_threads");
threads.Worker = class extends threads.Worker {
  #job;

  constructor(...given) {
    super(...given);
    this.on("message", ({ report }) => report && this.#job.results++);
  }

  postMessage(message, ...given) {
    if (message.call) jobs.push((this.#job = { worker: this, results: 0 }));
    super.postMessage(message, ...given);
  }
};
syncBuiltinESMExports();

const consumer = createConsumer();
const { compress, convert, inspect } = await consumer.import();
const small = await sample("baseline.jpg");
/** Takes a second or more. */
const large = await toSharp(photo(2400, 1800)).removeAlpha().jpeg({ quality: 92 }).toBuffer();

/** Resolves once a call with these options has begun to encode; `call` settles as the call does. */
function underWay(input, options) {
  let begun;
  const encoding = new Promise((resolve) => (begun = resolve));
  const call = compress(input, { ...options, onProgress: ({ phase }) => phase === "encode" && begun() });
  call.catch(() => {});
  return Promise.race([encoding, call]).then(() => ({ call }));
}

test("a signal that is aborted already", async () => {
  const signal = AbortSignal.abort();
  for (const call of [compress(small, { signal }), convert(small, "png", { signal }), inspect(small, { signal })]) {
    const error = await failureOf(call);
    assert.equal(error, signal.reason);
    assert.deepEqual([error.name, error instanceof DOMException], ["AbortError", true]);
  }
});

test("an abort ends a running call at once, and the pool goes on", async () => {
  const expected = await (await compress(small)).bytes();
  for (let round = 0; round < 5; round++) {
    const controller = new AbortController();
    const { call } = await underWay(large, { signal: controller.signal });
    controller.abort();
    assert.equal((await failureWithin(call, 100)).name, "AbortError");
    assert.deepEqual(await (await compress(small)).bytes(), expected);
  }
});

test("an abort leaves the calls beside it alone", async () => {
  const controller = new AbortController();
  const bystander = compress(large, { effort: 9 });
  const { call } = await underWay(large, { signal: controller.signal });
  controller.abort();
  assert.equal((await failureOf(call)).name, "AbortError");
  assert.equal((await bystander).width, 2400);
});

test("an abort stops the work itself: its thread ends before it is done", async () => {
  const controller = new AbortController();
  // Minutes of work.
  const { call } = await underWay(large, { signal: controller.signal, to: "avif", effort: 9 });
  const job = jobs.at(-1);
  const ended = once(job.worker, "exit");
  controller.abort();
  await failureOf(call);
  await ended;
  assert.equal(job.results, 0);
});

test("an abort ends calls that wait, and no others", async (context) => {
  const warnings = [];
  const heed = (warning) => warnings.push(`${warning}`);
  process.on("warning", heed);
  context.after(() => process.off("warning", heed));
  const controller = new AbortController();
  const reason = new Error("changed my mind");
  const calls = Array.from({ length: 24 }, (_, index) => compress(index % 2 ? large : small, index % 2 ? { signal: controller.signal } : {}));
  const settled = Promise.allSettled(calls);
  controller.abort(reason);
  const outcomes = await settled;
  outcomes.forEach(({ status, reason: thrown }, index) => {
    if (index % 2) assert.equal(thrown, reason);
    else assert.equal(status, "fulfilled");
  });
  assert.deepEqual(warnings, []);
});

test("an abort ends the download of a Response, also of one that sends nothing", async () => {
  for (const pull of [() => new Promise(() => {}), (stream) => sleep(1).then(() => stream.enqueue(new Uint8Array(1000)))]) {
    for (const call of [compress, inspect]) {
      const controller = new AbortController();
      let cancelled;
      const response = new Response(new ReadableStream({ pull, cancel: (reason) => void (cancelled = reason) }));
      const ended = failureWithin(call(response, { signal: controller.signal }), 20_000);
      await sleep(20);
      controller.abort("enough");
      assert.equal(await ended, "enough");
      await sleep(0);
      assert.equal(cancelled, "enough");
    }
  }
});

test("an abort after the end changes nothing", async () => {
  const controller = new AbortController();
  const result = await compress(small, { signal: controller.signal });
  controller.abort();
  assert.equal((await result.bytes()).length, result.outputSize);
  assert.equal((await compress(small)).outputSize, result.outputSize);
});

test("a signal that times out rejects with its own reason", async () => {
  const { name } = await failureOf(compress(large, { signal: AbortSignal.timeout(20), to: "avif", effort: 9 }));
  assert.equal(name, "TimeoutError");
});

test("a process that is done with its calls ends by itself", () => {
  consumer.write("once.mjs", `
    import { readFileSync } from "node:fs";
    import { compress, inspect } from "filepress";
    const photo = readFileSync("photo.jpg");
    const [{ outputSize }] = await Promise.all([compress(photo), compress(photo), inspect(photo)]);
    await compress(photo, { signal: AbortSignal.abort() }).catch(({ name }) => console.log(name));
    console.log(outputSize < photo.length);`);
  consumer.write("photo.jpg", small);
  const { status, stdout, signal } = spawnSync(process.execPath, ["once.mjs"], { cwd: consumer.folder, encoding: "utf8", timeout: 300_000 });
  assert.deepEqual([status, signal, stdout], [0, null, "AbortError\ntrue\n"]);
});

test("an abort while an instance starts on the calling thread: the work does not begin, and the process ends", () => {
  consumer.write("photo.jpg", small);
  const program = `
    import { readFile } from "node:fs/promises";
    import { compress, init } from "filepress";
    await init({ worker: false });
    const controller = new AbortController();
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (module, ...imports) => {
      const made = await instantiate(module, ...imports);
      if (WebAssembly.Module.exports(module).some(({ name }) => name === "is_core" || name === "is_photo")) controller.abort("enough");
      return made;
    };
    const phases = [];
    const onProgress = ({ phase }) => phases.push(phase);
    const reason = await compress(await readFile("photo.jpg"), { signal: controller.signal, onProgress }).catch((thrown) => thrown);
    process.on("exit", () => console.log(JSON.stringify([reason, phases])));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd: consumer.folder, encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), ["enough", ["load"]]);
});

test("a process with a call under way stays until it has ended", async () => {
  consumer.write("waiting.mjs", `
    import { readFileSync } from "node:fs";
    import { compress } from "filepress";
    compress(readFileSync("large.jpg")).then(({ outputSize }) => console.log(outputSize > 0));`);
  consumer.write("large.jpg", large);
  const { status, stdout } = spawnSync(process.execPath, ["waiting.mjs"], { cwd: consumer.folder, encoding: "utf8", timeout: 300_000 });
  assert.deepEqual([status, stdout], [0, "true\n"]);
});
