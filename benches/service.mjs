// `make bench-service`: the overhead of the server. Prints a table; it never fails a build.
//
//   throughput   1 GiB up and down through loopback, beside `cp` and `sync` of the same file on the same disk
//   memory       the peak resident memory of the process during that upload
//   requests     GETs of one finished task per second, over 16 connections
//   latency      of a JPEG and of a WebP from a JPEG of 100 KB, from create-task to the first response that says COMPLETED, polled every 5 ms, median of 21
import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import sharp from "sharp";
import { startService } from "../scripts/service.mjs";
import { grouped, table } from "../scripts/table.mjs";

const run = promisify(execFile);
const LARGE = Number(process.env.BENCH_BYTES ?? 2 ** 30);
const MIB = 2 ** 20;

async function main() {
  const folder = await mkdtemp(join(tmpdir(), "filepress-bench-"));
  const service = await startService();
  try {
    const large = join(folder, "large");
    await makeLarge(large);
    const rows = [
      ...(await throughput(service, large, folder)),
      ["task GETs a second", grouped(await requests(service))],
      ["100 KB JPEG, smaller: create to COMPLETED, median of 21", `${Math.round(await latency(service))} ms`],
      ["100 KB JPEG → WebP: the same", `${Math.round(await latency(service, "image/webp"))} ms`],
    ];
    console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}\n`);
    console.log(table([{ title: "" }, { title: "figure", right: true }], rows).join("\n"));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes that no disk compresses. */
async function makeLarge(path) {
  const file = await open(path, "w");
  const block = crypto.getRandomValues(new Uint8Array(65536));
  const chunk = Buffer.concat(Array.from({ length: 16 }, () => block));
  for (let written = 0; written < LARGE; written += chunk.length) await file.write(chunk);
  await file.sync();
  await file.close();
}

async function throughput(service, large, folder) {
  const copied = await timed(() => run("sh", ["-c", 'cp "$1" "$2" && sync "$2"', "sh", large, join(folder, "copy")]));
  const created = await service.client.call("POST", "/v1/files", { data: { type: "files", attributes: { size: LARGE } } });
  const { id, links } = created.body.data;
  const watch = watchMemory(service.pid);
  const sent = await timed(() => send(links.upload, large));
  const peak = await watch.stop();
  const { body } = await service.client.call("GET", `/v1/files/${id}`);
  const received = await timed(() => drain(body.data.links.download));
  const rate = (ms) => `${grouped((LARGE / MIB / ms) * 1000)} MiB/s`;
  return [
    [`cp and sync of ${grouped(LARGE / MIB)} MiB`, rate(copied)],
    ["upload (synced, hashed)", `${rate(sent)}, ${(copied / sent).toFixed(2)} × cp`],
    ["download", `${rate(received)}, ${(copied / received).toFixed(2)} × cp`],
    ["resident memory during the upload: before, peak", `${grouped(peak.before / MIB)} MiB, ${grouped(peak.most / MIB)} MiB`],
  ];
}

function send(url, path) {
  return new Promise((resolve, reject) => {
    const put = request(url, { method: "PUT", headers: { "content-length": LARGE } }, (response) => {
      response.resume();
      if (response.statusCode === 201) response.on("end", resolve);
      else reject(new Error(`PUT: ${response.statusCode}`));
    });
    put.on("error", reject);
    pipeline(createReadStream(path, { highWaterMark: MIB }), put).catch(reject);
  });
}

function drain(url) {
  return new Promise((resolve, reject) => {
    const get = request(url, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => (bytes += chunk.length));
      response.on("end", () => (bytes === LARGE ? resolve() : reject(new Error(`GET: ${bytes} bytes`))));
    });
    get.on("error", reject);
    get.end();
  });
}

function watchMemory(pid) {
  const read = async () => 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))[1]);
  let running = true;
  const watched = (async () => {
    const before = await read();
    let most = before;
    while (running) {
      most = Math.max(most, await read());
      await sleep(20);
    }
    return { before, most };
  })();
  return {
    stop() {
      running = false;
      return watched;
    },
  };
}

async function photo() {
  const noise = { create: { width: 900, height: 680, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 24 } } };
  return sharp(noise).blur(1).jpeg({ quality: 82 }).toBuffer();
}

async function requests({ url, key, client }) {
  const input = await client.upload(await photo(), "image/jpeg");
  const { id } = await client.createTask(input, { settings: { resize: { max_width: 64 } } });
  await client.wait(id);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const headers = { authorization: `Bearer ${key}`, accept: "application/vnd.api+json" };
  const get = () =>
    new Promise((resolve, reject) => {
      const call = request(new URL(`/v1/tasks/${id}`, url), { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`GET of a task: ${response.statusCode}`));
        response.resume().on("end", resolve);
      });
      call.on("error", reject).end();
    });
  const COUNT = 4000;
  const worker = async () => {
    for (let index = 0; index < COUNT / 16; index += 1) await get();
  };
  const ms = await timed(() => Promise.all(Array.from({ length: 16 }, worker)));
  agent.destroy();
  return (COUNT / ms) * 1000;
}

async function latency({ client }, output) {
  const format = output && { input: "image/jpeg", output };
  const bytes = await photo();
  const times = [];
  for (let round = 0; round < 21; round += 1) {
    const input = await client.upload(bytes, "image/jpeg");
    times.push(
      await timed(async () => {
        const { id } = await client.createTask(input, { format });
        const { data } = await client.wait(id, 5);
        if (data.attributes.status !== "COMPLETED") throw new Error(`a task ended as ${data.attributes.status}`);
      }),
    );
  }
  return times.sort((one, other) => one - other)[10];
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

main().catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
