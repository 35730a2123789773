// The full build for workerd, apart from the entry so that it is only evaluated when one of its formats is named.
export * as glue from "./lib/fullglue.js";
export { default as module } from "./wasm/full/filepress_bg.wasm";
