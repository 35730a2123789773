// The glue of the full build without its default export: the asynchronous start, which a bundler then leaves out.
export * from "../wasm/full/filepress.js";
