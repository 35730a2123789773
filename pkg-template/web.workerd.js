// Entry of filepress/web for workerd (Cloudflare Workers): all but the builds full and jxl.
import * as clientGlue from "./lib/clientglue.js";
import clientModule from "./wasm/client/filepress_bg.wasm";
import * as coreGlue from "./lib/coreglue.js";
import coreModule from "./wasm/core/filepress_bg.wasm";
import { createWorkerd, createWorkerdClient } from "./platforms/workerd.js";
import { createPlaceholder } from "./lib/placeholder.js";
import { createVariants } from "./lib/variants.js";

const facade = /* @__PURE__ */ createWorkerd({
  client: () => ({ glue: clientGlue, module: clientModule }),
  core: () => ({ glue: coreGlue, module: coreModule }),
});
export const { compress, compressAll, convert, decode, inspect, score, formats, init, preload } = facade;
export const placeholder = /* @__PURE__ */ createPlaceholder(facade);
export const variants = /* @__PURE__ */ createVariants(facade);
export const Client = /* @__PURE__ */ createWorkerdClient(facade);
export * from "./lib/errors.js";
export { pictureSources } from "./lib/picture-sources.js";
