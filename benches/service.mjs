// `make bench-service`: the overhead of the server. Prints a table; it never fails a build.
//
//   throughput   1 GiB up and down through loopback, beside `cp` and `sync` of the same file on the same disk
//   memory       the peak resident memory of the process during that upload
//   uploads      200 uploads of 1 MB at once
//   requests     GETs of one finished task per second, over 16 connections
//   latency      of a JPEG and of a WebP from a JPEG of 100 KB, from create-task to the first response that says COMPLETED, polled every 5 ms, median of 21
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startService } from "../scripts/service.mjs";
import { grouped, table } from "../scripts/table.mjs";
import { LARGE, MIB, UPLOADS, declare, drain, makeLarge, photo, send, taskGets, uploadMany, watchMemory } from "./service/load.mjs";
import { timed } from "./timing.mjs";

const run = promisify(execFile);

async function main() {
  const folder = await mkdtemp(join(tmpdir(), "filepress-bench-"));
  const service = await startService();
  try {
    const large = join(folder, "large");
    await makeLarge(large);
    const rows = [...(await throughput(service, large, folder))];
    const { p50, p99 } = await uploadMany(service);
    const gets = await taskGets(service);
    rows.push(
      [`${UPLOADS} uploads of 1 MB at once: p50, p99`, `${Math.round(p50)} ms, ${Math.round(p99)} ms`],
      ["task GETs a second", grouped(await gets())],
      ["100 KB JPEG, smaller: create to COMPLETED, median of 21", `${Math.round(await latency(service))} ms`],
      ["100 KB JPEG → WebP: the same", `${Math.round(await latency(service, "image/webp"))} ms`],
    );
    console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}\n`);
    console.log(table([{ title: "" }, { title: "figure", right: true }], rows).join("\n"));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function throughput(service, large, folder) {
  const copied = await timed(() => run("sh", ["-c", 'cp "$1" "$2" && sync "$2"', "sh", large, join(folder, "copy")]));
  const { id, links } = await declare(service, LARGE);
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

main().catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
