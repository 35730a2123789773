// The thread that passes damaged files to the engine. A hanging call is detected from outside, because the shared
// counter stops.
import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "./engine.mjs";
import { cuts, flips } from "./mutations.mjs";

const { installed, build, good, counter } = workerData;
const engine = await openEngine(installed, build);
const expected = compressed(good, {});

parentPort.on("message", ({ bytes, type, options, count, head }) => {
  const report = { cuts: 0, flips: 0, refused: 0, codes: {}, faults: [] };
  const probe = (damaged, what) => attempt(damaged, type, options, what, report);
  report.decoded = probe(bytes, "whole");
  for (const [kind, mutations] of Object.entries({ cuts, flips })) {
    for (const { what, bytes: damaged } of mutations(bytes, count, head)) {
      probe(damaged, what);
      report[kind]++;
    }
  }
  if (compressed(good, {}) !== expected) report.faults.push("the good file after it came out otherwise");
  parentPort.postMessage(report);
});

/** One file, damaged or not; tells whether there was a picture. */
function attempt(bytes, type, options, what, report) {
  Atomics.add(counter, 0, 1);
  settles(() => engine.inspect(bytes, type), what, report);
  return settles(() => engine.process(bytes, type, options, undefined), what, report);
}

/** Whether a call succeeds. It may be refused; anything else than that is a fault. */
function settles(call, what, report) {
  try {
    call();
    return true;
  } catch (thrown) {
    if (typeof thrown?.code === "string" && typeof thrown.kind === "string" && thrown.message) {
      report.refused++;
      report.codes[thrown.code] = (report.codes[thrown.code] ?? 0) + 1;
    } else {
      report.faults.push(`${what}: ${thrown} (${engine.last_panic() ?? "no words"})`);
      engine.restart();
    }
    return false;
  }
}

function compressed(bytes, options) {
  const { bytes: made } = engine.process(bytes, undefined, options, undefined);
  return Buffer.from(made).toString("base64");
}
