// The glue of the full build without its asynchronous start, which a bundler then leaves out.
export {
  __wbg_reset_state,
  formats,
  initSync,
  inspect,
  last_panic,
  memory_bytes,
  plan,
  process,
  score,
} from "../wasm/full/filepress.js";
