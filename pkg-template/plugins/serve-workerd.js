// Entry of filepress/serve for workerd, where a promise must only be awaited by the request that created it.
import { createHandler } from "./image-handler.js";

/** See types/plugins/serve.d.ts. */
export const createImageServer = (options) => createHandler(options, { coalesce: false });
