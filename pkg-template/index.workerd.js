// Entry for workerd (Cloudflare Workers): no workers there, and no compiling; wasm files are imported as modules.
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
  throw invalid("source", "must be a WebAssembly.Module: nothing else can become one in a Worker");
}

/** Sends the bytes of a file. A signed URL is where they belong: nobody else gets them. */
async function upload(request, payload, baseUrl) {
  checkTarget(baseUrl, request.url);
  return fetch(request, { redirect: "manual" });
}

const facade = /* @__PURE__ */ createFacade({
  load: async (build) => (await parts[build]()).module,
  compile,
  glue: async (build) => (await parts[build]()).glue,
  // The core build, which comes with the script, does what the photo build does.
  hasPhoto: () => false,
  // At once: a promise must not be awaited by another request than the one that made it.
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
