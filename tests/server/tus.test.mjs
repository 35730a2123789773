// Resumable uploads by tus-js-client, the client that Uppy uses: across cut connections, and while the server is killed.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Upload } from "tus-js-client";
import { startService } from "../../scripts/service.mjs";
import { LOST_PER_CUT, MB, fileOf, noise, openLine } from "./support/line.mjs";

const SIZE = 200 * MB;
const content = noise(SIZE);
const sha256 = createHash("sha256").update(content).digest("hex");

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
