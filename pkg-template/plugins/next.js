// Entry of filepress/next: a route handler that serves the images of `next/image` in the sizes that it asks for.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compress } from "filepress";
import { members } from "../lib/options.js";
import { createHandler } from "./image-handler.js";

/** Defaults of `deviceSizes` and `imageSizes` in next.config.js, those of earlier versions too. */
const SIZES = [16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];

/** See types/plugins/next.d.ts. */
export function createImageRoute({ sizes = SIZES, qualities = [75], formats = ["auto"], source = readPublic, ...options } = {}) {
  const given = Object.fromEntries(members(options));
  const handle = createHandler({ compress, source, prefix: "/img/", allow: { sizes, qualities, formats }, ...given }, { coalesce: true });
  const answer = async (request) => (await handle(request)) ?? new Response("Not found", { status: 404 });
  return { GET: answer, HEAD: answer };
}

/** A file of `public/`, or an image that a module imports, which lies in Next's own folder: in development in another one. */
async function readPublic(path) {
  const folders = path.startsWith(MEDIA) ? [".next", ".next/dev"] : ["public"];
  const inside = path.startsWith(MEDIA) ? path.slice("_next/".length) : path;
  for (const folder of folders) {
    const bytes = await readFile(join(/* turbopackIgnore: true */ process.cwd(), folder, inside)).catch(() => undefined);
    if (bytes) return bytes;
  }
  return undefined;
}

const MEDIA = "_next/static/media/";
