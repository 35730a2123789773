// Entry of filepress/serve: a server of images in the sizes and formats that addresses ask for.
import { createHandler } from "./image-handler.js";

/** See types/plugins/serve.d.ts. */
export const createImageServer = (options) => createHandler(options, { coalesce: true });
