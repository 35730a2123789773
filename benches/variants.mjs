// What `variants` saves: a photo of 12 megapixels in 4 widths and 3 formats, as one call and as twelve, each in a process of its
// own. Prints times, also of the processor, which others on the machine do not change, and peak memory. Fails if the bytes differ.
// Needs dist/package/. Usage: node benches/variants.mjs [FILE]
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const WIDTHS = [400, 800, 1200, 1600];
const FORMATS = ["avif", "webp", "jpeg"];
const ENTRIES = FORMATS.flatMap((to) => WIDTHS.map((width) => ({ to, resize: { width } })));
const MB = 1e6;

const [, program, ...given] = process.argv;
if (given[0] === "--run") await run(given[1], given[2]);
else await compare(given[0]);

/** Runs one way in this process, and prints { ms, peak, hashes } as JSON. */
async function run(way, file) {
  const { compress, variants, preload } = await import("../dist/package/index.node.js");
  const bytes = readFileSync(file);
  const outputs = [];
  const add = async (index, result) => (outputs[index] = createHash("sha256").update(await result.bytes()).digest("hex"));
  const ways = {
    "twelve calls, one after another": async () => {
      for (const [index, entry] of ENTRIES.entries()) await add(index, await compress(bytes, entry));
    },
    "twelve calls at once": () => Promise.all(ENTRIES.map(async (entry, index) => add(index, await compress(bytes, entry)))),
    "one call": async () => {
      for await (const output of variants(bytes, ENTRIES)) await add(output.index, output);
    },
    none: async () => {},
  };
  const single = /^call (\d+)$/.exec(way)?.[1];
  await preload(["image/avif"]);
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await (single === undefined ? ways[way]() : add(0, await compress(bytes, ENTRIES[single])));
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ ms: performance.now() - begun, cpu: (user + system) / 1e6, peak: mostResident(), hashes: outputs }));
}

async function compare(given) {
  const folder = mkdtempSync(join(tmpdir(), "filepress-variants-"));
  const file = given ?? join(folder, "photo.jpg");
  try {
    if (!given) writeFileSync(file, await photo());
    const idle = await measure("none", file);
    const rows = {};
    let expected;
    for (const way of ["twelve calls, one after another", "twelve calls at once", "one call"]) {
      const { ms, cpu, peak, hashes } = await measure(way, file);
      expected ??= hashes;
      if (String(hashes) !== String(expected)) throw new Error(`${way}: other bytes`);
      rows[way] = { seconds: ms / 1000, "processor seconds": cpu, "peak MB": (peak - idle.peak) / MB };
    }
    let largest = 0;
    for (const index of ENTRIES.keys()) largest = Math.max(largest, (await measure(`call ${index}`, file)).peak - idle.peak);
    rows["the largest of the calls"] = { "peak MB": largest / MB };
    for (const row of Object.values(rows)) for (const key of Object.keys(row)) row[key] = Number(row[key].toFixed(2));
    console.table(rows);
    const [one, calls] = [rows["one call"], rows["twelve calls, one after another"]];
    console.log(`${(one.seconds / calls.seconds).toFixed(2)} of the time of calls one after another, ${(one.seconds / rows["twelve calls at once"].seconds).toFixed(2)} of calls at once`);
    console.log(`${(one["processor seconds"] / calls["processor seconds"]).toFixed(2)} of their processor time`);
    console.log(`${(one["peak MB"] / rows["the largest of the calls"]["peak MB"]).toFixed(2)} of the memory of the largest call; the bytes are equal`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(way, file) {
  const { stdout } = await promisify(execFile)(process.execPath, [program ?? fileURLToPath(import.meta.url), "--run", way, file]);
  return JSON.parse(stdout);
}

/** A generated landscape. */
async function photo() {
  const { default: sharp } = await import("sharp");
  const { draw } = await import("./generated-pictures.mjs");
  const [width, height] = [4032, 3024];
  return sharp(draw("landscape", width, height), { raw: { width, height, channels: 4 } }).removeAlpha().jpeg({ quality: 92 }).toBuffer();
}

/** The peak resident memory of this process in bytes. */
function mostResident() {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [null, process.resourceUsage().maxRSS];
  return Number(kilobytes) * 1024;
}
