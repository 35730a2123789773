// Entry for Node: runs jobs in a pool of worker_threads. Idle workers do not keep the process alive.
import { readFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { createClient } from "./lib/client/client.js";
import { checkTarget, fetchWithRedirects } from "./lib/client/redirects.js";
import { compile } from "./lib/compile.js";
import { createFacade } from "./lib/facade.js";
import { createPool } from "./lib/pool.js";

const glues = {
  client: () => import("./wasm/client/filepress.js"),
  core: () => import("./wasm/core/filepress.js"),
  full: () => import("./wasm/full/filepress.js"),
};

const addresses = {
  client: () => new URL("./wasm/client/filepress_bg.wasm", import.meta.url),
  photo: () => new URL("./wasm/photo/filepress_bg.wasm", import.meta.url),
  core: () => new URL("./wasm/core/filepress_bg.wasm", import.meta.url),
  full: () => new URL("./wasm/full/filepress_bg.wasm", import.meta.url),
};

// Flags of the process, such as --input-type, may not apply to a worker's script.
const scripts = {
  photo: () => new Worker(new URL("./worker-photo.node.js", import.meta.url), { execArgv: [] }),
  core: () => new Worker(new URL("./worker-core.node.js", import.meta.url), { execArgv: [] }),
  full: () => new Worker(new URL("./worker-full.node.js", import.meta.url), { execArgv: [] }),
};

/** Node's fetch does not read files. */
function open(address) {
  if (/^(https?|data|blob):/i.test(address)) return fetch(address);
  return readFile(/^file:/i.test(address) ? fileURLToPath(address) : address);
}

const hint = "The package's own files must stay together: a bundler has to leave it external.";

function spawn(build, { onMessage, onDeath }) {
  const worker = scripts[build]();
  worker.on("message", onMessage);
  worker.on("messageerror", onDeath);
  worker.on("error", onDeath);
  worker.on("exit", (code) => onDeath(`exit code ${code}`));
  return worker;
}

/** Uploads a file. With redirects allowed, Node would keep all its bytes in memory. */
async function upload(request, payload, baseUrl) {
  checkTarget(baseUrl, request.url);
  return fetch(request, { redirect: "error", window: null });
}

function createRunner(builds) {
  // Half a GiB per worker, more than a photo of 50 megapixels needs. A container may have less memory than the machine.
  const memory = Math.min(totalmem(), process.constrainedMemory?.() || Infinity);
  const limit = Math.max(1, Math.min(availableParallelism(), 8, Math.floor(memory / 2 ** 29)));
  // Node cannot send a file-backed Blob to a worker.
  return createPool(builds, { limit, memory: memory / 2, spawn, hint, takesBlobs: false });
}

const facade = /* @__PURE__ */ createFacade({
  load: (build) => compile(addresses[build](), open),
  compile: (source) => compile(source, open),
  glue: (build) => glues[build](),
  hasPhoto: () => true,
  start: (glue, module) => glue.default({ module_or_path: module }),
  createRunner,
});
export const { compress, convert, inspect, score, formats, init } = facade;
export const Client = /* @__PURE__ */ createClient(() => facade.remote(), { inBrowser: () => false, upload, send: fetchWithRedirects });
export * from "./lib/errors.js";
