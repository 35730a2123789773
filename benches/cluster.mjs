// `make bench-cluster`: what the server costs at PostgreSQL and an object store, beside one machine. Prints a table for each part; it
// never fails a build.
//
//   requests     GETs of one finished task per second, over 16 connections, at PostgreSQL and at SQLite by turns, median of 5
//   throughput   1 GiB through an API server into S3, beside `curl` into the same store, median of 3; the peak resident memory of the
//                server meanwhile; 200 uploads of 1 MB at once
//   direct       1 GiB into S3 by a link of `direct-uploads`, beside `curl` on the same way, median of 3; what the server does with it then
//   workers      the time of 60 tasks with one worker and with two, each with a processor of its own
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startGuardedObjects } from "../scripts/guarded-objects.mjs";
import { startObjects, startPostgres } from "../scripts/service-parts.mjs";
import { startService } from "../scripts/service.mjs";
import { grouped, table } from "../scripts/table.mjs";
import { put, putParts } from "./service/curl.mjs";
import { LARGE, MIB, UPLOADS, declare, makeLarge, photo, send, taskGets, uploadMany, watchMemory } from "./service/load.mjs";
import { timed } from "./timing.mjs";

const run = promisify(execFile);
const TASKS = 60;
/** The one part to measure; all, if there is none. */
const PART = process.argv[2];
/** What measures each part: rows of a name and a figure. */
const PARTS = {
  requests: ({ database }) => requests(database),
  throughput: async ({ node, keep, objects, folder }) => throughput(keep(await node("api")), objects, folder),
  direct,
  workers: ({ node }) => workers(node),
};

async function main() {
  if (PART && !Object.hasOwn(PARTS, PART)) throw new Error(`there is no part ${PART}, only ${Object.keys(PARTS).join(", ")}`);
  const stops = [];
  const keep = (part) => (stops.unshift(part.stop), part);
  const folder = await mkdtemp(join(tmpdir(), "filepress-bench-"));
  try {
    const database = keep(await startPostgres()).url;
    const objects = keep(await startObjects());
    const node = async (role, { env, args = [] } = {}) =>
      startService({ database, env: { ...objects.env, ...env }, args: ["--role", role, "--blobs", objects.blobs, "--image-workers", "1", ...args] });
    console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}`);
    for (const [name, measure] of Object.entries(PARTS)) {
      if (PART && PART !== name) continue;
      console.log(`\n${table([{ title: name }, { title: "figure", right: true }], await measure({ database, objects, node, keep, folder })).join("\n")}`);
    }
  } finally {
    for (const stop of stops) await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const median = (figures) => figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)];

/** Both at once would take the processors from each other. */
async function requests(database) {
  const services = [await startService(), await startService({ database })];
  try {
    const gets = [await taskGets(services[0]), await taskGets(services[1])];
    const rates = [[], []];
    for (let round = 0; round < 5; round += 1) {
      for (const [index, get] of gets.entries()) rates[index].push(await get());
    }
    const [sqlite, postgres] = rates.map(median);
    return [
      ["task GETs a second: SQLite", grouped(sqlite)],
      ["the same: PostgreSQL", `${grouped(postgres)}, ${(postgres / sqlite).toFixed(2)} × SQLite`],
    ];
  } finally {
    for (const { stop } of services) await stop();
  }
}

async function throughput(service, objects, folder) {
  const large = join(folder, "large");
  await makeLarge(large);
  const times = { curl: [], parts: [], server: [] };
  const peaks = [];
  for (let round = 0; round < 3; round += 1) {
    times.curl.push(await put(objects, large));
    times.parts.push(await putParts(objects, large));
    const { id, links } = await declare(service, LARGE);
    const watch = watchMemory(service.pid);
    times.server.push(await timed(() => send(links.upload, large)));
    peaks.push((await watch.stop()).most);
    await service.client.call("DELETE", `/v1/files/${id}`);
  }
  const [curl, parts, server] = [median(times.curl), median(times.parts), median(times.server)];
  const { p50, p99 } = await uploadMany(service);
  return [
    [`curl of ${grouped(LARGE / MIB)} MiB into the store with one request`, rate(curl)],
    ["curl of the same in parts of 8 MiB, two at a time", rate(parts)],
    ["upload through an API server into the store (hashed)", `${rate(server)}, ${(curl / server).toFixed(2)} × one request, ${(parts / server).toFixed(2)} × parts`],
    ["its resident memory meanwhile: peak", `${grouped(Math.max(...peaks) / MIB)} MiB`],
    [`${UPLOADS} uploads of 1 MB at once into the store: p50, p99`, `${Math.round(p50)} ms, ${Math.round(p99)} ms`],
  ];
}

/** The store is reached through a guard, which slows all ways down alike. */
async function direct({ node, keep, folder }) {
  const large = join(folder, "large");
  await makeLarge(large);
  const objects = keep(await startGuardedObjects());
  const service = keep(await node("api", { env: objects.env, args: ["--direct-uploads"] }));
  const times = { curl: [], link: [], taken: [] };
  const peaks = [];
  for (let round = 0; round < 3; round += 1) {
    times.curl.push(await put(objects, large));
    const { id, links } = await declare(service, LARGE);
    if (!links.upload.startsWith(objects.env.AWS_ENDPOINT_URL)) throw new Error("the link of an upload does not lead to the store");
    const watch = watchMemory(service.pid);
    times.link.push(await timed(() => send(links.upload, large)));
    // The server copies and hashes it when it is asked for the file.
    times.taken.push(await timed(() => service.client.call("GET", `/v1/files/${id}`)));
    peaks.push((await watch.stop()).most);
    await service.client.call("DELETE", `/v1/files/${id}`);
  }
  const [curl, link, taken] = [median(times.curl), median(times.link), median(times.taken)];
  return [
    [`curl of ${grouped(LARGE / MIB)} MiB through a guard into the store`, rate(curl)],
    ["upload by a link through the same guard", `${rate(link)}, ${(curl / link).toFixed(2)} × curl`],
    ["then the server copies and hashes it", rate(taken)],
    ["its resident memory meanwhile: peak", `${grouped(Math.max(...peaks) / MIB)} MiB`],
  ];
}

/** How fast the large file was. */
const rate = (ms) => `${grouped((LARGE / MIB / ms) * 1000)} MiB/s`;

/** Each worker is bound to a processor, and so are the processes that it starts. */
async function workers(node) {
  const api = await node("api");
  const running = [];
  const add = async (processor) => {
    const worker = await node("worker");
    running.push(worker);
    await run("taskset", ["--all-tasks", "--cpu-list", "--pid", `${processor}`, `${worker.pid}`]);
  };
  try {
    const input = await api.client.upload(await photo(), "image/jpeg");
    await add(0);
    const one = await timed(() => convertAll(api, input));
    await add(1);
    const two = await timed(() => convertAll(api, input));
    const rate = (ms) => `${((TASKS / ms) * 1000).toFixed(1)} a second`;
    return [
      ["100 KB JPEG → AVIF with one worker", rate(one)],
      ["with two workers", `${rate(two)}, ${(one / two).toFixed(2)} × one`],
    ];
  } finally {
    for (const { stop } of [...running, api]) await stop();
  }
}

async function convertAll({ client }, input) {
  const format = { input: "image/jpeg", output: "image/avif" };
  const tasks = await Promise.all(Array.from({ length: TASKS }, () => client.createTask(input, { format })));
  for (const { id } of tasks) {
    const { data } = await client.wait(id, 100);
    if (data.attributes.status !== "COMPLETED") throw new Error(`a task ended as ${data.attributes.status}`);
  }
}

main().catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
