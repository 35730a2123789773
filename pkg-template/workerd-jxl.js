// The build jxl for workerd, in a separate module so that it is only evaluated when it is needed.
export * as glue from "./lib/jxlglue.js";
export { default as module } from "./wasm/jxl/filepress_bg.wasm";
