// Entry of filepress/avif for workerd (Cloudflare Workers): filepress/web, and AVIF from JPEG, PNG and WebP.
import * as clientGlue from "./lib/clientglue.js";
import clientModule from "./wasm/client/filepress_bg.wasm";
import * as avifGlue from "./lib/avifglue.js";
import avifModule from "./wasm/avif/filepress_bg.wasm";
import * as coreGlue from "./lib/coreglue.js";
import coreModule from "./wasm/core/filepress_bg.wasm";
import { createWorkerd, createWorkerdClient } from "./platforms/workerd.js";
import { createPlaceholder } from "./lib/placeholder.js";
import { createVariants } from "./lib/variants.js";

const facade = /* @__PURE__ */ createWorkerd({
  client: () => ({ glue: clientGlue, module: clientModule }),
  avif: () => ({ glue: avifGlue, module: avifModule }),
  core: () => ({ glue: coreGlue, module: coreModule }),
});
export const { compress, compressAll, convert, decode, inspect, score, formats, init, preload } = facade;
export const placeholder = /* @__PURE__ */ createPlaceholder(facade);
export const variants = /* @__PURE__ */ createVariants(facade);
export const Client = /* @__PURE__ */ createWorkerdClient(facade);
export * from "./lib/errors.js";
export { pictureSources } from "./lib/picture-sources.js";
