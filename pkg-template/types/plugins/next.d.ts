// filepress/next: a route of Next.js for the images of `next/image`.

import type { ImageServerOptions } from "./serve.js";

/** Options of {@link createImageRoute}: those of `createImageServer`, most of them with a default. */
export interface ImageRouteOptions extends Partial<Omit<ImageServerOptions, "allow">> {
  /** Widths that are allowed. Default: the defaults of Next's `deviceSizes` and `imageSizes`. */
  sizes?: readonly (number | string)[] | undefined;
  /** Values of `quality` that are allowed. Default `[75]`. */
  qualities?: readonly (number | "auto")[] | undefined;
  /** Formats that are allowed. Default `["auto"]`, the only format that the loader requests. */
  formats?: readonly string[] | undefined;
}

/**
 * Creates the handlers of a route, `app/img/[...path]/route.js`. Without `source`, the route serves the files of `public/`, and images that
 * modules import.
 *
 * @example
 * export const { GET, HEAD } = createImageRoute({ defaults: { quality: 70 } });
 */
export function createImageRoute(options?: ImageRouteOptions): {
  /** Responds with the image. */
  GET(request: Request): Promise<Response>;
  /** Responds with the headers of the image, without its bytes. */
  HEAD(request: Request): Promise<Response>;
};
