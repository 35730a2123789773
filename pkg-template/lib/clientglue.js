// The glue of the client build without its default export: the asynchronous start, which a bundler then leaves out.
export * from "../wasm/client/filepress.js";
