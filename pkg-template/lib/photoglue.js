// The glue of the photo build without its default export: the asynchronous start, which a bundler then leaves out.
export * from "../wasm/photo/filepress.js";
