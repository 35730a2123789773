// One way to make 12 variants of a photo, in a process of its own. Prints { ms, cpu, peak, hashes } as JSON: the time, that of the
// processor, the peak of resident memory in bytes, and the SHA-256 of each output. Usage: node benches/variants-probe.mjs WAY FILE
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { ENTRIES } from "./variants-work.mjs";

const [way, file] = process.argv.slice(2);
const bytes = readFileSync(file);
const hashes = [];
const add = (index, output) => (hashes[index] = createHash("sha256").update(output).digest("hex"));
const run = way === "sharp" ? await bySharp() : await byFilepress();
const [begun, before] = [performance.now(), process.cpuUsage()];
await run();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ ms: performance.now() - begun, cpu: (user + system) / 1000, peak: mostResident(), hashes }));

async function byFilepress() {
  const { compress, variants, preload } = await import("../dist/package/index.node.js");
  await preload(["image/avif"]);
  const call = async (index) => add(index, await (await compress(bytes, ENTRIES[index])).bytes());
  const ways = {
    none: async () => {},
    turns: async () => {
      for (const index of ENTRIES.keys()) await call(index);
    },
    together: () => Promise.all([...ENTRIES.keys()].map(call)),
    variants: async () => {
      for await (const output of variants(bytes, ENTRIES)) add(output.index, await output.bytes());
    },
  };
  return ways[way] ?? (() => call(Number(way)));
}

/** The qualities are filepress' defaults. They do not mean the same to both. */
async function bySharp() {
  const { default: sharp } = await import("sharp");
  const settings = { avif: { quality: 60, effort: 3 }, webp: { quality: 80 }, jpeg: { quality: 80, mozjpeg: true } };
  return async () => {
    const image = sharp(bytes);
    const outputs = ENTRIES.map(({ to, resize }) => image.clone().resize(resize).toFormat(to, settings[to]).toBuffer());
    for (const [index, output] of (await Promise.all(outputs)).entries()) add(index, output);
  };
}

/** The peak resident memory of this process in bytes. */
function mostResident() {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [null, process.resourceUsage().maxRSS];
  return Number(kilobytes) * 1024;
}
