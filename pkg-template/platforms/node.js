// What Node gives: wasm from its files, and a pool of worker_threads. Idle workers do not keep the process alive. `spawn` starts a Worker;
// lib/pool.js decides when, and what follows when one dies. lib/engine.js starts a new instance after a trap.
import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { createClient } from "../lib/client/client.js";
import { checkTarget, fetchWithRedirects } from "../lib/client/redirects.js";
import { compile } from "../lib/compile.js";
import { createFacade } from "../lib/facade.js";
import { createRunner } from "../lib/runner.js";

/** The public functions. By build, `glues` imports the glue, `modules` reads the wasm file, and `scripts` starts a worker. */
export function createNode({ glues, modules, scripts }) {
  const load = (build, folder) => compile(folder ? readFile(new URL(`wasm/${build}/filepress_bg.wasm`, folder)) : modules[build](), open);

  function spawn(build, folder, { onMessage, onDeath }) {
    const worker = folder ? new Worker(new URL(`worker-${build}.node.js`, folder), { execArgv: [] }) : scripts[build]();
    worker.on("message", onMessage);
    worker.on("messageerror", onDeath);
    worker.on("error", onDeath);
    worker.on("exit", (code) => onDeath(`exit code ${code}`));
    return worker;
  }

  function pool() {
    // Half a GiB per worker, more than a photo of 50 megapixels needs. A container may have less memory than the machine.
    const memory = Math.min(totalmem(), process.constrainedMemory?.() || Infinity);
    const limit = Math.max(1, Math.min(availableParallelism(), 8, Math.floor(memory / 2 ** 29)));
    // Node cannot send a file-backed Blob to a worker.
    return { limit, memory: memory / 2, spawn, takesBlobs: false };
  }

  return createFacade({
    builds: Object.keys(glues),
    load,
    compile: (source) => compile(source, open),
    glue: (build) => glues[build](),
    lacks: (build) => !(build in glues),
    start: (glue, module) => glue.default({ module_or_path: module }),
    createRunner: (builds, settings) => createRunner(builds, settings, { hasWorkers: () => true, pool, advice }),
    jxl: () => import("../lib/jxl/reader.js"),
    openFile: (url) => openAsBlob(fileURLToPath(url)),
    resolveFolder,
    advice,
  });
}

/** The class `Client`, apart from the other functions: a page that does not use it does not load it. */
export const createNodeClient = (facade) => createClient(() => facade.remote(), { inBrowser: () => false, upload, send: fetchWithRedirects });

/** Node's fetch does not read files. */
function open(address) {
  if (/^(https?|data|blob):/i.test(address)) return fetch(address);
  return readFile(/^file:/i.test(address) ? fileURLToPath(address) : address);
}

/** A folder by its path or `file:` URL. */
function resolveFolder(address) {
  if (/^file:/i.test(address)) return new URL(address);
  if (/^\w{2,}:/.test(address)) throw new TypeError("not a file");
  return pathToFileURL(address);
}

const advice = () =>
  "The package's own files must stay together: a bundler has to leave it external, or init({ workers }) has to name their folder.";

/** Uploads a file. With redirects allowed, Node would keep all its bytes in memory. */
async function upload(request, payload, baseUrl) {
  checkTarget(baseUrl, request.url);
  return fetch(request, { redirect: "error", window: null });
}
