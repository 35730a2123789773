// Entry for workerd (Cloudflare Workers), which has no workers and cannot compile wasm: wasm files are imported as modules.
import * as clientGlue from "./lib/clientglue.js";
import clientModule from "./wasm/client/filepress_bg.wasm";
import * as coreGlue from "./lib/coreglue.js";
import coreModule from "./wasm/core/filepress_bg.wasm";
import { createClient } from "./lib/client/client.js";
import { checkTarget, fetchWithRedirects } from "./lib/client/redirects.js";
import { createFacade } from "./lib/facade.js";
import { createInline } from "./lib/inline.js";
import { invalid } from "./lib/options.js";

const parts = {
  client: () => ({ glue: clientGlue, module: clientModule }),
  core: () => ({ glue: coreGlue, module: coreModule }),
  full: () => import("./workerd-full.js"),
};

async function compile(source) {
  const module = await source;
  if (module instanceof WebAssembly.Module) return module;
  throw invalid("source", "must be a WebAssembly.Module: a Worker cannot compile other sources");
}

/** Uploads a file. Redirects are not followed, so that the bytes only go to the signed URL. */
async function upload(request, payload, baseUrl) {
  checkTarget(baseUrl, request.url);
  return fetch(request, { redirect: "manual" });
}

const facade = /* @__PURE__ */ createFacade({
  load: async (build) => (await parts[build]()).module,
  compile,
  glue: async (build) => (await parts[build]()).glue,
  // The core build is part of the script, and does what the photo build does.
  hasPhoto: () => false,
  // Synchronous: a promise must only be awaited by the request that created it.
  start: (glue, module) => void glue.initSync({ module }),
  createRunner: createInline,
});
export const { compress, convert, inspect, score, formats, init } = facade;
export const Client = /* @__PURE__ */ createClient(() => facade.remote(), {
  inBrowser: () => false,
  upload,
  send: fetchWithRedirects,
});
export * from "./lib/errors.js";
