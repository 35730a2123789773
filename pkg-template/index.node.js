// Entry for Node: a pool of worker_threads, which never keep a process alive that has no call under way.
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
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
  core: () => new URL("./wasm/core/filepress_bg.wasm", import.meta.url),
  full: () => new URL("./wasm/full/filepress_bg.wasm", import.meta.url),
};

// Flags of the process (--input-type and the like) may not suit a worker's script.
const scripts = {
  core: () => new Worker(new URL("./worker-core.node.js", import.meta.url), { execArgv: [] }),
  full: () => new Worker(new URL("./worker-full.node.js", import.meta.url), { execArgv: [] }),
};

/** fetch in Node reads no files. */
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

function createRunner(builds) {
  const limit = Math.min(availableParallelism(), 8);
  // Node cannot send a Blob that stands for a file.
  return createPool(builds, { limit, spawn, hint, takesBlobs: false });
}

export const { compress, convert, inspect, formats, init } = /* @__PURE__ */ createFacade({
  load: (build) => compile(addresses[build](), open),
  compile: (source) => compile(source, open),
  glue: (build) => glues[build](),
  start: (glue, module) => glue.default({ module_or_path: module }),
  createRunner,
});
export * from "./lib/errors.js";
