// The load of the benches of the server: large uploads, many small ones, and requests for a task.
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { timed } from "../timing.mjs";

/** The size of the large file in bytes. */
export const LARGE = Number(process.env.BENCH_BYTES ?? 2 ** 30);
export const MIB = 2 ** 20;
/** GETs of a task, and how many of them at once. */
const GETS = 4000;
const AT_ONCE = 16;
/** Uploads at once, and the size of each in bytes. */
export const UPLOADS = 200;
const SMALL = 1_000_000;

/** Writes a file of `LARGE` bytes that no disk compresses. */
export async function makeLarge(path) {
  const file = await open(path, "w");
  const block = crypto.getRandomValues(new Uint8Array(65536));
  const chunk = Buffer.concat(Array.from({ length: 16 }, () => block));
  for (let written = 0; written < LARGE; written += chunk.length) await file.write(chunk);
  await file.sync();
  await file.close();
}

/** Uploads the large file. */
export function send(url, path) {
  const body = createReadStream(path, { highWaterMark: MIB });
  return put(url, LARGE, (call) => pipeline(body, call));
}

function put(url, length, write, connection) {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: "PUT", headers: { "content-length": length }, ...connection }, (response) => {
      response.resume();
      // The server answers 201, an object store 200.
      if ([200, 201].includes(response.statusCode)) response.on("end", resolve);
      else reject(new Error(`PUT: ${response.statusCode}`));
    });
    call.on("error", reject);
    Promise.resolve(write(call)).catch(reject);
  });
}

/** Downloads the large file. */
export function drain(url) {
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

/** The links of a new file. */
export async function declare({ client }, size) {
  const { body } = await client.call("POST", "/v1/files", { data: { type: "files", attributes: { size } } });
  return body.data;
}

/** Uploads `UPLOADS` files at once, from 50 addresses, because of the limits for each: `{ p50, p99 }` in milliseconds. Rejects if one fails. */
export async function uploadMany(service) {
  const body = Buffer.concat(Array.from({ length: Math.ceil(SMALL / 65536) }, () => crypto.getRandomValues(Buffer.alloc(65536)))).subarray(0, SMALL);
  const urls = [];
  for (let count = 0; count < UPLOADS; count += 1) urls.push((await declare(service, SMALL)).links.upload);
  const from = (index) => ({ agent: false, localAddress: `127.0.0.${2 + (index % 50)}` });
  const times = await Promise.all(urls.map((url, index) => timed(() => put(url, SMALL, (call) => void call.end(body), from(index)))));
  times.sort((one, other) => one - other);
  const quantile = (share) => times[Math.ceil(share * times.length) - 1];
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

/** The resident memory of a process in bytes until `stop` is called: `{ before, most }`. */
export function watchMemory(pid) {
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

/** A JPEG of about 100 KB. */
export async function photo() {
  const noise = { create: { width: 900, height: 680, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 24 } } };
  return sharp(noise).blur(1).jpeg({ quality: 82 }).toBuffer();
}

/** A function that gets a finished task many times, and resolves to how often per second. */
export async function taskGets({ url, key, client }) {
  const input = await client.upload(await photo(), "image/jpeg");
  const { id } = await client.createTask(input, { settings: { resize: { max_width: 64 } } });
  await client.wait(id);
  const headers = { authorization: `Bearer ${key}`, accept: "application/vnd.api+json" };
  return async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const get = () =>
      new Promise((resolve, reject) => {
        const call = request(new URL(`/v1/tasks/${id}`, url), { agent, headers }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`GET of a task: ${response.statusCode}`));
          response.resume().on("end", resolve);
        });
        call.on("error", reject).end();
      });
    const worker = async () => {
      for (let index = 0; index < GETS / AT_ONCE; index += 1) await get();
    };
    const ms = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
    agent.destroy();
    return (GETS / ms) * 1000;
  };
}
