// Entry of filepress/serve: an image server. The URL of a request says the size and the format of the image.
import { createHandler } from "./image-handler.js";

/** See types/plugins/serve.d.ts. */
export const createImageServer = (options) => createHandler(options, { coalesce: true });
