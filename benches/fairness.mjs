// `make bench-fairness`: how long a user waits for a 100 KB JPEG once per second, first alone, then during an attack:
// 200 connections that never finish a request head, and 50 uploads at a kilobyte per second, from 49 addresses.
// Connections that the server closes are reopened. Prints both distributions; exits with 1 if the p99 under attack
// is more than twice that alone.
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { startService } from "../scripts/service.mjs";
import { table } from "../scripts/table.mjs";

const SECONDS = Number(process.argv[2] ?? 120);
const HEADS = 200;
const UPLOADS = 50;
const MOST = 2;

/** 127.0.0.2 to 127.0.0.50. */
const address = (number) => `127.0.0.${2 + (number % 49)}`;

async function main() {
  const service = await startService({ args: ["--min-free-disk", "0"] });
  try {
    const photo = await picture();
    await conversions(service, photo, 5);
    const alone = await conversions(service, photo, SECONDS);
    const attack = startAttack(service);
    const beside = await conversions(service, photo, SECONDS);
    const { opened } = attack.stop();
    const row = (name, times) => [name, `${times.length}`, ...[0.5, 0.9, 0.99].map((share) => `${Math.round(quantile(times, share))}`)];
    const columns = ["user", "calls", "p50 ms", "p90 ms", "p99 ms"].map((title, index) => ({ title, right: index > 0 }));
    console.log(table(columns, [row("alone", alone), row("under attack", beside)]).join("\n"));
    const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
    console.log(`\np99 under attack / alone: ${ratio.toFixed(2)} (at most ${MOST}); the attack opened ${opened} connections`);
    if (ratio > MOST) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

/** A JPEG of about 100 KB, of noise that is blurred. */
async function picture() {
  const noise = { create: { width: 1200, height: 900, channels: 3, noise: { type: "gaussian", mean: 128, sigma: 60 } } };
  return sharp(noise).blur(2).jpeg({ quality: 80 }).toBuffer();
}

/** One conversion a second, from create-file to the last byte of the download: milliseconds, sorted. */
async function conversions({ client }, photo, seconds) {
  const times = [];
  for (let second = 0; second < seconds; second++) {
    const started = performance.now();
    const input = await client.upload(photo);
    const { id } = await client.createTask(input, { settings: { quality: 60 } });
    const document = await client.wait(id, 5);
    if (document.data.attributes.status !== "COMPLETED") throw new Error(`a task ended as ${document.data.attributes.status}`);
    await client.download(document);
    const took = performance.now() - started;
    times.push(took);
    await sleep(Math.max(0, 1000 - took));
  }
  return times.sort((one, other) => one - other);
}

const quantile = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];

function startAttack({ url, client }) {
  const { hostname, port } = new URL(url);
  const sockets = new Set();
  let opened = 0;
  let stopped = false;

  /** Keeps one connection open by sending now and then; opens it again when it is closed. */
  async function hold(number, begin, drip) {
    while (!stopped) {
      const head = await begin();
      const socket = connect({ host: hostname, port, localAddress: address(number) });
      sockets.add(socket);
      opened += 1;
      const timer = setInterval(() => socket.write(drip), 1000);
      await new Promise((resolve) => {
        socket.on("connect", () => socket.write(head));
        socket.on("error", () => {});
        socket.on("close", resolve);
        socket.resume();
      });
      clearInterval(timer);
      sockets.delete(socket);
      await sleep(100);
    }
  }

  const halfHead = async () => "GET /v1/files HTTP/1.1\r\nHost: a\r\n";
  const slowUpload = async () => {
    const size = 1 << 30;
    const { body } = await client.call("POST", "/v1/files", { data: { type: "files", attributes: { size } } });
    const { pathname, search } = new URL(body.data.links.upload);
    return `PUT ${pathname}${search} HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`;
  };
  for (let number = 0; number < HEADS; number++) hold(number, halfHead, "X-A: b\r\n");
  for (let number = 0; number < UPLOADS; number++) hold(number, slowUpload, "x".repeat(1024));
  return {
    stop() {
      stopped = true;
      for (const socket of sockets) socket.destroy();
      return { opened };
    },
  };
}

main().catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
