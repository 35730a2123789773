// The glue of the core build without its default export: the asynchronous start, which a bundler then leaves out.
export * from "../wasm/core/filepress.js";
