// What `variants` saves: 12 variants of a photo as one call, as twelve, and by sharp's clones, each way in a process of its own.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ENTRIES } from "./variants-work.mjs";

const program = fileURLToPath(new URL("variants-probe.mjs", import.meta.url));
const WAYS = ["turns", "together", "variants", "sharp"];

/**
 * Measures each way, in turns.
 * @param {string} path of the photo.
 * @param {number} rounds
 * @returns {Promise<{ rows: { way: string, ms: number, cpu: number, peak: number }[], largest: number, loaded: number }>} medians; `peak` is of
 *   the whole process, `largest` the highest of all single calls, `loaded` that of a process that only loads filepress. Rejects if outputs
 *   of filepress differ.
 */
export async function compareVariants(path, rounds) {
  const peaks = async (way) => {
    const runs = [];
    for (let round = 0; round < rounds; round++) runs.push((await probe(way, path)).peak);
    return median(runs);
  };
  const found = new Map(WAYS.map((way) => [way, []]));
  for (let round = 0; round < rounds; round++) for (const way of WAYS) found.get(way).push(await probe(way, path));
  const own = WAYS.filter((way) => way !== "sharp").flatMap((way) => found.get(way).map(({ hashes }) => hashes.join()));
  if (new Set(own).size > 1) throw new Error("the outputs of the calls and of variants differ");
  const rows = [...found].map(([way, runs]) => {
    const of = (key) => median(runs.map((run) => run[key]));
    return { way, ms: of("ms"), cpu: of("cpu"), peak: of("peak") };
  });
  let largest = 0;
  for (const index of ENTRIES.keys()) largest = Math.max(largest, await peaks(String(index)));
  return { rows, largest, loaded: await peaks("none") };
}

async function probe(way, path) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, way, path]);
  return JSON.parse(stdout);
}

function median(values) {
  return values.sort((one, other) => one - other)[values.length >> 1];
}
