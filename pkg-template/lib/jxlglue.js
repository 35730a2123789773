// The glue of the build jxl without its default export: the asynchronous start, which a bundler then leaves out.
export * from "../wasm/jxl/filepress.js";
