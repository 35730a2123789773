// filepress/next/loader: the loader of `next/image` for the route of filepress/next.

/** The image that `next/image` requests. */
export interface NextImage {
  /** Path of the image. URLs of other sites are returned unchanged. */
  src: string;
  /** Width in pixels. */
  width: number;
  /** Quality. Default: that of the route. */
  quality?: number | undefined;
}

/** Creates a loader. `prefix` is the path of the route; a slash at its end is added if it is missing. Default `"/img/"`. */
export function createLoader(options?: { prefix?: string | undefined }): (image: NextImage) => string;

/** The loader for a route at `/img/`. */
declare const loader: (image: NextImage) => string;
/** The loader for a route at `/img/`. */
export default loader;
