// `make matrix-server`: converts every pair that the server offers through a running server over HTTP (create, PUT,
// task, poll, download), reads the results with ffprobe, pdfinfo or the engine, and prints tables of milliseconds.
// Exits with 1 if a pair fails, or if one of the types is missing as an input or, except for SVG and HEIC, as an output.
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "./service.mjs";
import { makeInput, TYPES } from "./matrix-server/inputs.mjs";
import { offeredPairs } from "./matrix-server/pairs.mjs";
import { check } from "./matrix-server/read.mjs";
import { Sender } from "./matrix-server/sender.mjs";
import { table } from "./table.mjs";

/** Tasks under way at once: enough to keep all workers busy. */
const AT_ONCE = 2 * availableParallelism() + 2;

const start = performance.now();
const folder = await mkdtemp(join(tmpdir(), "filepress-matrix-"));
const workers = String(availableParallelism());
const service = await startService({
  args: ["--max-pending-per-user", "1000", "--heavy-workers", workers, "--log", "warn"],
});
try {
  const pairs = await offeredPairs(folder);
  const sender = new Sender(service, folder);
  const inputs = new Map();
  for (const from of new Set(pairs.map(({ from }) => from))) {
    inputs.set(from, sender.upload(await makeInput(from, folder), from));
  }
  const cells = await convertAll(pairs, sender, inputs);
  report(cells);
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}

/** Runs them, a few at once, in their order. */
async function convertAll(pairs, sender, inputs) {
  const cells = [];
  const waiting = pairs.values();
  const lane = async () => {
    for (const { from, to } of waiting) cells.push(await convert(from, to, sender, inputs));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return cells;
}

async function convert(from, to, sender, inputs) {
  try {
    const { output, milliseconds } = await sender.convert(await inputs.get(from), from, to);
    await check(output, from, to);
    return { from, to, milliseconds };
  } catch (failure) {
    return { from, to, failure };
  }
}

function report(cells) {
  const cell = new Map(cells.map((cell) => [`${cell.from} ${cell.to}`, cell]));
  const classes = ["image", "video", "audio", "application"];
  const of = (kind) => TYPES.filter((type) => type.startsWith(`${kind}/`));
  const short = (type) => type.replace(/^(image|video|audio|application)\/(x-|vnd\.)?/, "").slice(0, 9);
  const shown = (found) => (found ? (found.failure ? "×" : String(Math.round(found.milliseconds))) : "");
  for (const inputs of classes) {
    for (const outputs of classes) {
      const columns = of(outputs).filter((to) => of(inputs).some((from) => cell.has(`${from} ${to}`)));
      const rows = of(inputs).filter((from) => columns.some((to) => cell.has(`${from} ${to}`)));
      if (columns.length === 0) continue;
      const head = [{ title: `${inputs} → ${outputs}` }, ...columns.map((to) => ({ title: short(to), right: true }))];
      const body = rows.map((from) => [short(from), ...columns.map((to) => shown(cell.get(`${from} ${to}`)))]);
      console.log(`${table(head, body).join("\n")}\n`);
    }
  }
  const failed = cells.filter(({ failure }) => failure);
  for (const { from, to, failure } of failed) console.log(`${from} → ${to}: ${failure.message}`);
  const unread = TYPES.filter((type) => !cells.some(({ from }) => from === type));
  const unwritten = TYPES.filter((type) => !["image/svg+xml", "image/heic"].includes(type) && !cells.some(({ to }) => to === type));
  if (unread.length > 0) console.log(`no input: ${unread.join(", ")}`);
  if (unwritten.length > 0) console.log(`no output: ${unwritten.join(", ")}`);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${cells.length} pairs, ${failed.length} failed, in ${seconds} s; figures are milliseconds of work`);
  process.exitCode = failed.length + unread.length + unwritten.length > 0 ? 1 : 0;
}
