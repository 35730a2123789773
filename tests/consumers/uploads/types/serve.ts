// Strict TypeScript accepts what filepress/serve is used for, and refuses what it is not. Compiled, never run.
import { compress } from "filepress";
import { createImageServer, type AllowedImages, type ImageServerOptions, type ImageSource } from "filepress/serve";
import { toNodeListener, type NodeRequest, type NodeResponse } from "filepress/serve/node";
import { signImage } from "filepress/sign";
import { compress as compressWeb } from "filepress/web";

const allow: AllowedImages = { sizes: [400, "400x300"], formats: ["auto"], qualities: [50, "auto"] };
const source = async (path: string, { signal }: { signal: AbortSignal }): Promise<ImageSource> => fetch(path, { signal });
const options: ImageServerOptions = { compress, source, allow, key: "secret", auto: ["avif"], limits: { maxPixels: 1e6 }, defaults: { effort: 2 } };
const images = createImageServer({ ...options, compress: compressWeb });

export const answer = async (request: Request): Promise<Response> => (await images(request)) ?? new Response(null, { status: 404 });
export const listener: (request: NodeRequest, response: NodeResponse) => Promise<void> = toNodeListener(images);
export const address: Promise<string> = signImage("/_img/400/avif/photo.jpg", "secret");

createImageServer({ ...options, key: undefined, cacheKey: ({ headers }) => headers.get("cookie") ?? "", vary: "cookie", onError: (error: unknown, { url }: Request) => console.error(url, error), timeout: undefined });

// @ts-expect-error: the source is missing
createImageServer({ compress });
