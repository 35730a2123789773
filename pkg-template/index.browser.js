// Entry for browsers: runs jobs in a pool of module workers; on the calling thread if there are none, as in service workers.
import * as client from "./wasm/client/filepress.js";
import * as core from "./wasm/core/filepress.js";
import { createClient } from "./lib/client/client.js";
import { upload } from "./lib/client/upload.js";
import { compile } from "./lib/compile.js";
import { createFacade } from "./lib/facade.js";
import { createInline } from "./lib/inline.js";
import { createPool } from "./lib/pool.js";

// For the calling thread. Service workers cannot import dynamically, so all but the largest build are imported statically.
const glues = {
  client: () => client,
  core: () => core,
  full: () => import("./wasm/full/filepress.js"),
};

// Each `new URL(…, import.meta.url)` is a literal, because bundlers search for them.
const addresses = {
  client: () => new URL("./wasm/client/filepress_bg.wasm", import.meta.url),
  photo: () => new URL("./wasm/photo/filepress_bg.wasm", import.meta.url),
  core: () => new URL("./wasm/core/filepress_bg.wasm", import.meta.url),
  full: () => new URL("./wasm/full/filepress_bg.wasm", import.meta.url),
};

const scripts = {
  photo: () => new Worker(new URL("./worker-photo.js", import.meta.url), { type: "module" }),
  core: () => new Worker(new URL("./worker-core.js", import.meta.url), { type: "module" }),
  full: () => new Worker(new URL("./worker-full.js", import.meta.url), { type: "module" }),
};

const hint =
  "The package's worker scripts must be bundled, served from the page's origin, and allowed by its " +
  "Content-Security-Policy (worker-src 'self').";

function spawn(build, { onMessage, onDeath }) {
  const worker = scripts[build]();
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onmessageerror = () => onDeath("its message could not be read");
  worker.onerror = (event) => onDeath(event.error ?? event.message ?? "its script could not be loaded");
  return worker;
}

const hasWorkers = () => typeof Worker === "function";

/** Whether this is a page or its worker, whose code every visitor can read. */
const inBrowser = () => typeof document === "object" || typeof WorkerGlobalScope === "function";

function createRunner(builds) {
  if (!hasWorkers()) return createInline(builds);
  const { hardwareConcurrency, deviceMemory } = globalThis.navigator ?? {};
  const limit = Math.min(hardwareConcurrency || 2, 8);
  // A quarter of the device's memory, which only some browsers report, in GiB.
  const memory = ((deviceMemory || 4) * 2 ** 30) / 4;
  return createPool(builds, { limit, memory, spawn, hint, takesBlobs: true });
}

const facade = /* @__PURE__ */ createFacade({
  load: (build) => compile(addresses[build](), fetch),
  compile: (source) => compile(source, fetch),
  glue: (build) => glues[build](),
  hasPhoto: hasWorkers,
  start: (glue, module) => glue.default({ module_or_path: module }),
  createRunner,
});
export const { compress, convert, inspect, score, formats, init } = facade;
export const Client = /* @__PURE__ */ createClient(() => facade.remote(), { inBrowser, upload, send: (request) => fetch(request) });
export * from "./lib/errors.js";
