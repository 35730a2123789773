// The full build for workerd, in a separate module so that it is only evaluated when it is needed.
export * as glue from "./lib/fullglue.js";
export { default as module } from "./wasm/full/filepress_bg.wasm";
