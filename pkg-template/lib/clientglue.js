// The glue of the client build without its asynchronous start, which a bundler then leaves out.
export {
  __wbg_reset_state,
  begin,
  cancel,
  deliver,
  formats,
  initSync,
  last_panic,
  plan,
  poll,
} from "../wasm/client/filepress.js";
