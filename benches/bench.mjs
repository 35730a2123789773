// `make bench`: filepress beside jSquash and sharp on one photo, in one run: milliseconds, bytes, SSIMULACRA2, wasm memory.
// It prints figures and holds them against the bounds the project expects; a missed bound is marked, and fails nothing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grouped, table } from "../scripts/table.mjs";
import { filepress, jsquash, jsquashStored, sharpNative } from "./peers.mjs";
import { choosePhoto } from "./photo.mjs";
import { scores } from "./score.mjs";

const rounds = 5;

/**
 * What is measured. `bounds` are on filepress: its time as a share of jSquash's, its bytes as a share of those of
 * mozjpeg (the encoder inside jSquash), its peak wasm memory in MB. `light`: how the reference is made smaller for the score.
 */
const jobs = [
  {
    title: "JPEG → JPEG, quality 75, full size",
    peers: [filepress, jsquash, sharpNative],
    bounds: { time: 0.8, bytes: 1.005 },
    light: [undefined],
  },
  {
    title: "JPEG → 1920 px wide, JPEG, quality 75",
    width: 1920,
    peers: [filepress, jsquash, jsquashStored, sharpNative],
    bounds: { time: 0.4, memory: 60 },
    light: ["srgb", "linear"],
  },
];

/** The peers whose wasm memory can be seen, and by what name wasm-memory.mjs prepares each. */
const inMemory = new Map([
  [filepress, "filepressInline"],
  [jsquash, "jsquash"],
  [jsquashStored, "jsquashStored"],
]);

const photo = await choosePhoto();
printHead();
for (const job of jobs) {
  const rows = await measure(job);
  printJob(job, rows);
}

function printHead() {
  console.log(`photo    ${photo.path}: ${photo.width} × ${photo.height}, ${photo.megapixels.toFixed(1)} MP, ${grouped(photo.bytes.length)} bytes`);
  console.log(`machine  ${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${process.platform} ${process.arch}, Node ${process.versions.node}`);
  console.log(`command  node benches/bench.mjs: one process, peers interleaved, median of ${rounds} after one run that is not counted`);
}

/** One row a peer: { name, ms: the median, fastest, bytes, scores: [per light], memory: in bytes or undefined }. */
async function measure({ peers, width, light }) {
  const ready = await Promise.all(peers.map((prepare) => prepare()));
  const rows = ready.map(({ name, jpeg }) => ({ name, jpeg, times: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const row of rows) {
      const started = performance.now();
      row.output = await row.jpeg(photo.bytes, width);
      // Round 0 compiles and fills caches.
      if (round > 0) row.times.push(performance.now() - started);
    }
  }
  const judged = judge(rows.map(({ output }) => output), light);
  for (const { times } of rows) times.sort((a, b) => a - b);
  return rows.map(({ name, times, output }, index) => ({
    name,
    ms: times[Math.floor(rounds / 2)],
    fastest: times[0],
    bytes: output.length,
    scores: judged.map((column) => column[index]),
    memory: peakMemory(inMemory.get(peers[index]), width),
  }));
}

/** SSIMULACRA2 of each output, once for each way of making the reference smaller. */
function judge(outputs, light) {
  const folder = mkdtempSync(join(tmpdir(), "filepress-bench-"));
  try {
    const files = outputs.map((output, index) => join(folder, `${index}.jpg`));
    files.forEach((file, index) => writeFileSync(file, outputs[index]));
    return light.map((shrunk) => scores(photo.path, files, shrunk));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function peakMemory(peer, width = 0) {
  if (!peer) return undefined;
  const program = fileURLToPath(new URL("wasm-memory.mjs", import.meta.url));
  return Number(execFileSync(process.execPath, [program, peer, String(width), photo.path], { encoding: "utf8" }));
}

function printJob({ title, bounds, light }, rows) {
  const right = true;
  const scoreTitles = light.map((shrunk) => (shrunk ? `SSIMULACRA2 (${shrunk})` : "SSIMULACRA2"));
  const columns = [{ title: "" }, ...["ms", "fastest", "bytes", ...scoreTitles, "peak wasm"].map((column) => ({ title: column, right }))];
  const cells = rows.map((row) => [row.name, ...[row.ms, row.fastest, row.bytes].map(grouped), ...row.scores, megabytes(row.memory)]);
  console.log(`\n${title}\n\n${table(columns, cells).join("\n")}\n`);
  if (light[0]) console.log("  (scores: against the photo made smaller by Lanczos3, on its sRGB values and in linear light)");

  const [ours, theirs, ...others] = rows;
  printBound("time", ours.ms / theirs.ms, bounds.time, `× ${theirs.name}`);
  for (const { name, ms } of others) printBound("time", ours.ms / ms, undefined, `× ${name}`);
  printBound("bytes", ours.bytes / theirs.bytes, bounds.bytes, "× mozjpeg (in jSquash)");
  printBound("peak wasm", ours.memory / 1e6, bounds.memory, "MB");
}

function printBound(what, value, bound, unit) {
  const digits = unit === "MB" ? 1 : what === "bytes" ? 4 : 2;
  const verdict = bound === undefined ? "" : `: expected ≤ ${bound}, ${value <= bound ? "met" : "MISSED"}`;
  console.log(`  ${what.padEnd(10)}${value.toFixed(digits)} ${unit}${verdict}`);
}

function megabytes(bytes) {
  return bytes === undefined ? "–" : `${(bytes / 1e6).toFixed(1)} MB`;
}
