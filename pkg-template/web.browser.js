// Entry of filepress/web for browsers: all but the builds photo_avif, avif, full and jxl.
import * as client from "./wasm/client/filepress.js";
import * as core from "./wasm/core/filepress.js";
import { createBrowser, createBrowserClient, createPlaceholder, createVariants } from "./platforms/browser.js";

// For the calling thread. Service workers cannot import dynamically, so what they use is imported statically.
const glues = {
  client: () => client,
  photo: () => import("./wasm/photo/filepress.js"),
  core: () => core,
};

// Each `new URL(…, import.meta.url)` is a literal, because bundlers search for them.
const addresses = {
  client: () => new URL("./wasm/client/filepress_bg.wasm", import.meta.url),
  photo: () => new URL("./wasm/photo/filepress_bg.wasm", import.meta.url),
  core: () => new URL("./wasm/core/filepress_bg.wasm", import.meta.url),
};

const scripts = {
  photo: () => new Worker(new URL("./worker-photo.js", import.meta.url), { type: "module" }),
  core: () => new Worker(new URL("./worker-core.js", import.meta.url), { type: "module" }),
};

const facade = /* @__PURE__ */ createBrowser({ script: import.meta.url, glues, addresses, scripts });
export const { compress, compressAll, convert, decode, inspect, score, formats, init, preload } = facade;
export const placeholder = /* @__PURE__ */ createPlaceholder(facade);
export const variants = /* @__PURE__ */ createVariants(facade);
export const Client = /* @__PURE__ */ createBrowserClient(facade);
export { FilepressError, InputError, OptionsError, LimitError, RemoteError, InternalError, pictureSources } from "./platforms/browser.js";
