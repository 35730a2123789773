// Where a case spends its time, by function of the module as it is shipped, with function names kept. Inlined
// functions count as their callers.
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { buildWasm } from "../scripts/package/wasm.mjs";
import { buildOf, outputs } from "./peers/filepress.mjs";

/** Microseconds between samples, and the milliseconds that are sampled at least. */
const INTERVAL = 500;
const ENOUGH = 3000;

const engines = new Map();

/**
 * @typedef {object} Profile
 * @property {string} picture its name.
 * @property {number} [quality] absent where the work is lossless.
 * @property {number} calls how many were sampled.
 * @property {[string, number][]} shares of each function its share of the time, itself alone, the largest first.
 */

/**
 * @param {import("./cases.mjs").Work} work
 * @param {import("./corpus.mjs").Picture} picture
 * @param {number} [quality] where the work has one.
 * @returns {Promise<Profile>}
 */
export async function profileOf(work, picture, quality) {
  const engine = await engineOf(buildOf(work.id));
  const type = picture.kind === "photo" ? "image/jpeg" : "image/png";
  const settings = { ...outputs[work.id], quality, metadata: "strip", ...(work.width && { resize: { width: work.width } }) };
  const call = () => engine.process(picture.bytes, type, settings);
  // Twice for the compiler of the runtime, which comes back to what is hot.
  call();
  call();
  return { picture: picture.name, quality, ...(await sample(call)) };
}

/** An instance with names, made where there is none yet. */
async function engineOf(build) {
  if (!engines.has(build)) {
    const folder = `dist/profile/${build}`;
    buildWasm(build, { named: true, folder });
    const at = (file) => new URL(`../${folder}/${file}`, import.meta.url);
    const engine = await import(at("filepress.js"));
    engine.initSync({ module: readFileSync(fileURLToPath(at("filepress_bg.wasm"))) });
    engines.set(build, engine);
  }
  return engines.get(build);
}

async function sample(call) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: INTERVAL });
  await session.post("Profiler.start");
  const started = performance.now();
  let calls = 0;
  for (; calls < 2 || performance.now() - started < ENOUGH; calls += 1) call();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return { calls, shares: sharesOf(profile) };
}

function sharesOf({ nodes, samples }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const counts = new Map();
  for (const node of samples) counts.set(names.get(node), (counts.get(names.get(node)) ?? 0) + 1);
  const shares = [...counts].map(([name, count]) => [short(name), count / samples.length]);
  return shares.sort(([, first], [, second]) => second - first);
}

/** Without the hash at the end of a name of Rust, and what V8 puts in brackets. */
function short(name) {
  return name.replace(/::h[0-9a-f]{16}\b/, "").replace(/^\((.*)\)$/, "$1");
}
