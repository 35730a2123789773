// Entry of filepress/web for Node: all but the builds photo_avif, avif, full and jxl.
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { createNode, createNodeClient } from "./platforms/node.js";
import { createPlaceholder } from "./lib/placeholder.js";
import { createVariants } from "./lib/variants.js";

const glues = {
  client: () => import("./wasm/client/filepress.js"),
  photo: () => import("./wasm/photo/filepress.js"),
  core: () => import("./wasm/core/filepress.js"),
};

// Each `readFile(new URL(…, import.meta.url))` is one literal, because tools that trace the files of a server search for it.
const modules = {
  client: () => readFile(new URL("./wasm/client/filepress_bg.wasm", import.meta.url)),
  photo: () => readFile(new URL("./wasm/photo/filepress_bg.wasm", import.meta.url)),
  core: () => readFile(new URL("./wasm/core/filepress_bg.wasm", import.meta.url)),
};

// Flags of the process, such as --input-type, may not apply to a worker's script.
const scripts = {
  photo: () => new Worker(new URL("./worker-photo.node.js", import.meta.url), { execArgv: [] }),
  core: () => new Worker(new URL("./worker-core.node.js", import.meta.url), { execArgv: [] }),
};

const facade = /* @__PURE__ */ createNode({ glues, modules, scripts });
export const { compress, compressAll, convert, decode, inspect, score, formats, init, preload } = facade;
export const placeholder = /* @__PURE__ */ createPlaceholder(facade);
export const variants = /* @__PURE__ */ createVariants(facade);
export const Client = /* @__PURE__ */ createNodeClient(facade);
export * from "./lib/errors.js";
export { pictureSources } from "./lib/picture-sources.js";
