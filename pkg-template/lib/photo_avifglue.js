// The glue of the photo_avif build without its default export: the asynchronous start, which a bundler then leaves out.
export * from "../wasm/photo_avif/filepress.js";
