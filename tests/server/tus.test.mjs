// Resumable uploads by tus-js-client, the client that Uppy uses: across cut connections, and while the server is killed.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { after, test } from "node:test";
import { Upload } from "tus-js-client";
import { startService } from "../../scripts/service.mjs";

const MB = 1_000_000;
const SIZE = 200 * MB;
/** What a cut connection may lose: what was sent and has not come, and what came since the last checkpoint. */
const LOST_PER_CUT = 24 * MB;

/** Bytes by a xorshift generator, so that a part that is moved or repeated changes the hash. */
function noise(size) {
  const words = new Uint32Array(size / 4);
  let state = 2463534242;
  for (let index = 0; index < words.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return Buffer.from(words.buffer);
}

const content = noise(SIZE);
const sha256 = createHash("sha256").update(content).digest("hex");

/** A line to a service that is cut whenever `cuts` says so, in bytes from the client in all. */
async function openLine(cuts) {
  const line = { sent: 0, cut: 0, target: undefined };
  const server = createServer((client) => {
    const target = connect(line.target, "127.0.0.1");
    const close = () => (client.destroy(), target.destroy());
    client.on("data", (bytes) => {
      line.sent += bytes.length;
      if (line.sent < (cuts[line.cut] ?? Infinity)) return void (target.write(bytes) || (client.pause(), target.once("drain", () => client.resume())));
      line.cut++;
      close();
    });
    target.pipe(client);
    for (const socket of [client, target]) socket.on("error", close).on("close", close);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return Object.assign(line, { port: server.address().port });
}

/** Uploads the content; resolves to the URL of the upload. */
function upload(options, onProgress) {
  return new Promise((resolve, reject) => {
    const upload = new Upload(content, {
      retryDelays: [50, 100, 200, 500, 1000, 1000, 2000, 2000, 4000],
      onError: reject,
      onSuccess: () => resolve(upload.url),
      onProgress: (sent) => onProgress?.(sent, upload),
      ...options,
    });
    upload.start();
  });
}

async function fileOf(service, url) {
  const [, id] = /\/v1\/uploads\/([^?]+)\?/.exec(url);
  const response = await fetch(`${service.url}/v1/files/${id}`, { headers: { Authorization: `Bearer ${service.key}` } });
  assert.equal(response.status, 200);
  return (await response.json()).data;
}

test("200 MB arrive across three cut connections", async () => {
  const line = await openLine([50 * MB, 110 * MB, 170 * MB]);
  const service = await startService({ args: ["--public-url", `http://127.0.0.1:${line.port}`] });
  after(service.stop);
  line.target = Number(new URL(service.url).port);
  const url = await upload({
    endpoint: `http://127.0.0.1:${line.port}/v1/uploads`,
    headers: { Authorization: `Bearer ${service.key}` },
    metadata: { filename: "film.mp4", filetype: "video/mp4" },
  });
  assert.equal(line.cut, 3);
  assert.ok(line.sent < SIZE + 3 * LOST_PER_CUT, `${line.sent} bytes were sent`);
  const file = await fileOf(service, url);
  assert.deepEqual([file.attributes.size, file.attributes.format, file.meta.sha256], [SIZE, "video/mp4", sha256]);
});

test("an upload to the signed link of a file goes on after the server was killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "filepress-tus-"));
  let service = await startService({ data: folder });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const listen = new URL(service.url).host;
  const created = await fetch(`${service.url}/v1/files`, {
    method: "POST",
    headers: { Authorization: `Bearer ${service.key}`, "Content-Type": "application/vnd.api+json" },
    body: JSON.stringify({ data: { type: "files", attributes: { size: SIZE } } }),
  });
  const { data } = await created.json();
  let killed;
  const offsets = [];
  const url = await upload(
    {
      uploadUrl: data.links.resumable,
      onAfterResponse: (request, response) => {
        if (request.getMethod() === "HEAD") offsets.push(Number(response.getHeader("Upload-Offset")));
      },
    },
    (sent) => {
      if (sent < SIZE / 2 || killed) return;
      killed = service.kill("SIGKILL").then(async () => (service = await startService({ data: folder, listen })));
    },
  );
  await killed;
  assert.equal(url, data.links.resumable);
  // First nothing had come; after the kill, most of what was sent.
  assert.equal(offsets[0], 0);
  assert.ok(offsets.at(-1) > SIZE / 2 - LOST_PER_CUT, `${offsets}`);
  const file = await fileOf(service, url);
  assert.deepEqual([file.attributes.size, file.meta.sha256, file.links.resumable], [SIZE, sha256, undefined]);
});

test("an upload that is given up leaves nothing", async () => {
  const service = await startService();
  after(service.stop);
  const { promise, resolve, reject } = Promise.withResolvers?.() ?? withResolvers();
  upload(
    { endpoint: `${service.url}/v1/uploads`, headers: { Authorization: `Bearer ${service.key}` } },
    (sent, upload) => sent > SIZE / 4 && upload.abort(true).then(() => resolve(upload.url), reject),
  ).catch(reject);
  const url = await promise;
  const response = await fetch(url, { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } });
  assert.equal(response.status, 410);
});

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
