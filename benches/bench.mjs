// `make bench`: compares filepress with other libraries, in Node and in Chromium, and writes BENCHMARKS.md. It never
// fails a build.
//
//   node benches/bench.mjs                     everything, written to BENCHMARKS.md, README.md and figures.json
//   node benches/bench.mjs --render            BENCHMARKS.md and README.md again from figures.json, after a change of loss-reasons.mjs
//   node benches/bench.mjs --only jpeg,batch   some tables, printed: ids of cases.mjs, chromium-ID
//   node benches/bench.mjs --only webp --keep  the same, also written to figures.json and BENCHMARKS.md
//   node benches/bench.mjs --quick             two pictures per case and fewer rounds, printed; BENCH=quick does the same
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { batch } from "./batch.mjs";
import { browserPeers, openBrowser } from "./chromium/browser.mjs";
import { openCorpus } from "./corpus.mjs";
import { downloadSize } from "./download.mjs";
import { profileOf } from "./profiler.mjs";
import { measure } from "./measure.mjs";
import { peakMemory } from "./memory.mjs";
import { peers } from "./peers/index.mjs";
import { reportBatch, reportDocument } from "./report/document.mjs";
import { misses } from "./report/goals.mjs";
import { losesTime } from "./report/losses.mjs";
import { reportSection } from "./report/section.mjs";
import { reportVariants } from "./report/variants.mjs";
import { withSummary } from "./report/summary.mjs";
import { timed } from "./timing.mjs";
import { compareVariants } from "./variants.mjs";
import { batchCase, browserCases, cases, variantsCase } from "./cases.mjs";

const options = { quick: { type: "boolean" }, only: { type: "string" }, keep: { type: "boolean" }, render: { type: "boolean" } };
const { values: flags } = parseArgs({ options });
process.chdir(inProject("."));
const only = flags.only?.split(",");
const quick = flags.quick ?? process.env.BENCH === "quick";
const wanted = ({ id }) => !only || only.includes(id);
const rounds = quick ? { fewest: 1, most: 3, budget: 500 } : undefined;
const figures = inProject("benches/figures.json");
const say = (text) => console.error(`bench: ${text}`);

if (flags.render) writeDocument(read());
else publish(await run());
// wasm-vips keeps its threads, and a pool its workers.
process.exit();

/** What is measured is saved as it comes, so that a run that is broken off leaves what it has. */
async function run() {
  const folder = mkdtempSync(join(tmpdir(), "filepress-bench-"));
  try {
    const corpus = await openCorpus(folder);
    const find = (name) => corpus.find((picture) => picture.name === name);
    const chosen = (work) => (quick ? work.pictures.slice(-2) : work.pictures).map(find);
    const how = { folder, rounds, say };
    const results = { machine: machine(), corpus: corpus.map(described), sections: [], chromium: [] };
    results.idle = (await peakMemory("none", {}, undefined, corpus[0].path)).process;

    const started = await start();
    for (const work of cases.filter(wanted)) {
      results.sections.push(await inNode(work, started, chosen(work), find(work.memory), how));
      save(results);
    }
    if (wanted(batchCase)) results.batch = await inBatch(started, find(batchCase.picture));
    if (wanted(variantsCase)) results.variants = await ofVariants(find(variantsCase.picture));
    save(results);
    await inChromium(browserCases.filter(wanted), chosen, how, results);
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function described({ path: _, bytes, ...picture }) {
  return { ...picture, size: bytes.length };
}

/** Every peer's works, and each as a runner of measure.mjs. */
async function start() {
  const able = await Promise.all(peers.map(async (peer) => ({ peer, can: await peer.start() })));
  return (id) =>
    able.filter(({ can }) => can[id]).map(({ peer, can }) => {
      const run = (picture, settings) => can[id](picture.bytes, settings);
      return { id: peer.id, peer, run, time: (picture, settings) => timed(() => run(picture, settings)) };
    });
}

async function inNode(work, started, pictures, memoryPicture, how) {
  const runners = started(work.id);
  const measurements = await measure(work, runners, pictures, how);
  const quality = work.start?.[0];
  say(`${work.id}: memory`);
  const memory = await inTurn(runners, async ({ id }) => [id, await peakMemory(id, work, quality, memoryPicture.path)]);
  const download = runners.filter(({ peer }) => peer.loads).map(({ id, peer }) => [id, downloadSize(peer.loads(work.id))]);
  const measured = {
    ...section(work, runners.map(({ peer }) => peer), pictures, measurements),
    memory: Object.fromEntries(memory),
    memoryPicture: memoryPicture.name,
    download: Object.fromEntries(download),
  };
  if (!misses(measured) && !losesTime(measured)) return measured;
  say(`${work.id}: profile`);
  const ours = measurements.findLast(({ peer }) => peer === "filepress");
  const profile = await profileOf(work, pictures.find(({ name }) => name === ours.picture), ours.quality);
  return { ...measured, profile: { ...profile, shares: profile.shares.slice(0, 20) } };
}

async function inBatch(started, picture) {
  const { id, of, title, photos, peers: some, width, quality } = batchCase;
  const runners = started(of).filter((runner) => some.includes(runner.id));
  const settings = { quality, width };
  const rows = await batch(runners, { picture, settings, photos, rounds: quick ? 1 : 3 });
  return { id, title: `${title} (${picture.name})`, command: command(id), photos, peers: runners.map(({ peer }) => peer), rows };
}

async function ofVariants({ name, path }) {
  const { id, title, rounds } = variantsCase;
  return { id, title: `${title} (${name})`, command: command(id), ...(await compareVariants(path, quick ? 1 : rounds)) };
}

async function inChromium(chosenWorks, chosen, how, results) {
  if (chosenWorks.length === 0) return;
  const browser = await openBrowser([...new Set(chosenWorks.flatMap(chosen))]);
  results.machine.push(`Chromium ${browser.version}`);
  try {
    for (const work of chosenWorks) {
      const measurements = await measure(work, browser.runners(work.of), chosen(work), how);
      const download = Object.fromEntries(browserPeers.map(({ id, loads }) => [id, downloadSize(loads(work.of))]));
      results.chromium.push({ ...section(work, browserPeers, chosen(work), measurements), download });
      save(results);
    }
  } finally {
    await browser.close();
  }
}

function section({ id, title, target }, its, pictures, measurements) {
  return { id, title, target, command: command(id), peers: its, pictures: pictures.map(({ name }) => name), measurements };
}

function command(id) {
  return `node benches/bench.mjs --only ${id}`;
}

function machine() {
  const npm = [...peers, ...browserPeers.slice(1)].map(({ name, version }) => `${name} ${version}`);
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  return [
    `${cpus()[0].model}, ${availableParallelism()} cores, ${memory}, ${process.platform} ${process.arch}`,
    `Node ${process.versions.node}, ${execFileSync("rustc", ["--version"], { encoding: "utf8" }).trim()}`,
    [...new Set(npm)].join("; "),
  ];
}

function publish(results) {
  const { sections, chromium, batch: together, variants } = results;
  const others = [together && reportBatch(together), variants && reportVariants(variants)].filter(Boolean);
  console.log([...[...sections, ...chromium].map(reportSection), ...others].join("\n\n"));
  if (flags.keep) write(merged(read(), results));
  if (flags.keep || !(only || quick)) writeDocument(read());
}

/** An earlier run, if there was one, with the tables of a later one in the place of its own. */
function merged(known, later) {
  const earlier = known ?? later;
  const table = (key, id) => [later, earlier].map((run) => run[key].find((one) => one.id === id)).find(Boolean);
  const tables = (key, all) => all.map(({ id }) => table(key, id)).filter(Boolean);
  return {
    ...earlier,
    machine: later.machine.length > earlier.machine.length ? later.machine : earlier.machine,
    sections: tables("sections", cases),
    batch: later.batch ?? earlier.batch,
    variants: later.variants ?? earlier.variants,
    chromium: tables("chromium", browserCases),
  };
}

function save(results) {
  if (!only && !quick) write(results);
}

function write(results) {
  writeFileSync(figures, JSON.stringify(results, null, 2));
}

function read() {
  return existsSync(figures) ? JSON.parse(readFileSync(figures, "utf8")) : undefined;
}

function writeDocument(results) {
  writeFileSync(inProject("BENCHMARKS.md"), reportDocument(results));
  const readme = inProject("README.md");
  writeFileSync(readme, withSummary(readFileSync(readme, "utf8"), results));
}

function inProject(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

async function inTurn(items, work) {
  const results = [];
  for (const item of items) results.push(await work(item));
  return results;
}
