// A thread that feeds damaged files to the engine. Its own, so that a call that hangs can be seen and ended from outside:
// the shared counter stands still then.
import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "./engine.mjs";
import { cuts, flips } from "./mutations.mjs";

const { installed, build, good, counter } = workerData;
const engine = await openEngine(installed, build);
const expected = pressed(good, {});

parentPort.on("message", ({ bytes, options, count, head }) => {
  const report = { cuts: 0, flips: 0, refused: 0, codes: {}, faults: [] };
  for (const { what, bytes: damaged } of cuts(bytes, count, head)) report.cuts += probe(damaged, options, what, report);
  for (const { what, bytes: damaged } of flips(bytes, count, head)) report.flips += probe(damaged, options, what, report);
  if (pressed(good, {}) !== expected) report.faults.push("the good file after it came out otherwise");
  parentPort.postMessage(report);
});

/** One damaged file; 1, so that it can be counted. */
function probe(bytes, options, what, report) {
  Atomics.add(counter, 0, 1);
  for (const call of [() => engine.process(bytes, undefined, options, undefined), () => engine.inspect(bytes, undefined)]) {
    try {
      call();
    } catch (thrown) {
      if (typeof thrown?.code === "string" && typeof thrown.kind === "string" && thrown.message) {
        report.refused++;
        report.codes[thrown.code] = (report.codes[thrown.code] ?? 0) + 1;
      } else {
        report.faults.push(`${what}: ${thrown} (${engine.last_panic() ?? "no words"})`);
        engine.restart();
      }
    }
  }
  return 1;
}

function pressed(bytes, options) {
  const { bytes: made } = engine.process(bytes, undefined, options, undefined);
  return Buffer.from(made).toString("base64");
}
