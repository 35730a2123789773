// The glue of the avif build without its default export: the asynchronous start, which a bundler then leaves out.
export * from "../wasm/avif/filepress.js";
