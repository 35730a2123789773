// filepress/serve: an image server. The URL of a request says the size and the format of the image.

import type { CompressOptions, Limits, OutputType, Result } from "../../index.js";

/** What is allowed without a signature. */
export interface AllowedImages {
  /** Sizes as in the URL: `400`, `"400x300"`, `"x300"`, `"full"`. */
  sizes: readonly (number | string)[];
  /** Formats as in the URL. Default `["auto", "avif", "webp", "jpeg", "png", "original"]`. */
  formats?: readonly string[] | undefined;
  /** Values of the parameter `quality` in the URL. Default: none. */
  qualities?: readonly (number | "auto")[] | undefined;
}

/** Options of {@link createImageServer}. Members that are `undefined` count as absent. */
export interface ImageServerOptions {
  /** `compress` of `"filepress"`, `"filepress/web"` (a quarter of its size, no AVIF) or `"filepress/avif"` (about a half, AVIF from JPEG, PNG and WebP only). */
  compress: (input: Uint8Array<ArrayBuffer>, options: CompressOptions) => Promise<Result>;
  /**
   * Returns the image at a path. If there is no image, returns `undefined` or a response with the status 404. If it throws, or returns a
   * response with another error status or anything that is no {@link ImageSource}, the request gets the status 502, and `onError` the reason.
   *
   * The path is decoded once. No segment of it is empty, consists of dots and spaces, or has a slash, a backslash, a colon, a control character, or
   * what could be decoded again, such as `%2e`. So a path stays within the folder that it is joined to. `encodedPath` is the same path,
   * percent-encoded for a URL.
   *
   * Without `cacheKey`, what it returns must depend on the path only: it is kept, and shared with other visitors. `request` is that of the first
   * visitor who asks. `signal` aborts after the `timeout`, or when no visitor waits any more; that of `request` is about one visitor only.
   */
  source: (path: string, context: { encodedPath: string; request: Request; signal: AbortSignal }) => ImageSource | Promise<ImageSource>;
  /** Path with which URLs begin. It begins with a slash; one at its end is added if it is missing. Default `"/_img/"`. */
  prefix?: string | undefined;
  /** Secret for signatures, not empty, see `signImage` of `filepress/sign`. Without `allow`, every URL has to be signed. */
  key?: string | undefined;
  /** What is allowed without a signature. Required if there is no `key`. */
  allow?: AllowedImages | undefined;
  /**
   * Formats that `auto` may choose, the preferred one first: media types or file extensions. `auto` chooses the first of these formats that the
   * request's `Accept` names, otherwise the format of the source. Default `["avif", "webp"]`.
   */
  auto?: readonly OutputType[] | undefined;
  /**
   * Options of `compress` for all images. The URL overrides them, member by member those of `resize` too: `{ resize: { fit: "contain" } }` pads
   * images that get an exact size, instead of cropping them. `resize.position` is only used for images that are cropped or padded. Do not change
   * the object later: results in memory are not made again.
   */
  defaults?: Omit<CompressOptions, "to" | "as" | "name" | "signal" | "onProgress" | "limits" | "engine" | "settings" | "keepRemote"> | undefined;
  /** Limits of a call, positive integers. Default: 32 MiB and 50 million pixels; memory as in `compress`. */
  limits?: Limits | undefined;
  /** Longest side in pixels that a URL can request, by the size in its path or by the members of `resize` in its query. Positive integer, default 4,096. */
  maxSide?: number | undefined;
  /**
   * Returns what tells visitors apart who may get different images at the same path, for example the id of their session, or the host if it selects
   * a tenant. It becomes part of the key of results in memory and of work that requests share: a result is only used for requests with the same
   * string. If it throws or returns anything but a string, the request gets the status 500. It is called for every image that a visitor may
   * request. Default: all visitors get the same images.
   */
  cacheKey?: ((request: Request) => string) | undefined;
  /**
   * Value of `Cache-Control`. Default `"public, max-age=86400, stale-while-revalidate=604800"`; with `cacheKey` `"private, no-cache"`, so that no
   * shared cache keeps the image, and browsers ask each time whether it is still theirs.
   */
  cacheControl?: string | undefined;
  /**
   * Request headers that responses depend on, as the value of `Vary`. Images of the format `auto` add `Accept`. Default: none; with `cacheKey`
   * `"cookie, authorization"`. Name the headers that `cacheKey` reads. `Host` need not be named: it is part of the URL.
   */
  vary?: string | undefined;
  /**
   * Maximum size of the results kept in memory, in bytes, with the paths and options that they belong to; from 0, `Infinity` allowed.
   * Default 33,554,432 (32 MiB). 0: none are kept.
   */
  cacheBytes?: number | undefined;
  /** How long a result in memory is used before `source` is called again, in milliseconds, from 0; `Infinity` allowed. Default 60,000. */
  freshFor?: number | undefined;
  /** Maximum number of images that are processed at the same time, from 1; `Infinity` allowed. Requests for further images get the status 503. Default 64. */
  maxPending?: number | undefined;
  /**
   * Maximum time in milliseconds for reading a source and processing the image, from 1 to 2,147,483,647. If it takes longer, the request gets the
   * status 504. Default 60,000.
   */
  timeout?: number | undefined;
  /**
   * Called when a request gets the status 500, 502 or 504, so that you can log the reason: responses do not contain it. `error` is what
   * `source` or `compress` threw, or an error that says what was wrong with what `source` returned, or that the `timeout` is over. If several
   * requests waited for the same image, it is called once. It is not awaited, and what it throws is ignored.
   */
  onError?: ((error: unknown, request: Request) => unknown) | undefined;
}

/** What {@link ImageServerOptions.source} returns. */
export type ImageSource = Response | Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | undefined;

/**
 * Creates a function that responds to requests whose URL is the prefix followed by `SIZE/FORMAT/PATH`, such as `/_img/400/avif/photo.jpg`. The
 * function resolves to `undefined` for URLs that do not begin with the prefix. It never rejects, whatever `source` throws. Simultaneous requests
 * for the same image share one call of `compress`, except in Cloudflare Workers.
 *
 * Throws a `TypeError` that names the option if one is wrong or unknown, or if there is neither a `key` nor `allow`.
 *
 * @example
 * const images = createImageServer({ compress, source: (_, { encodedPath }) => fetch(`https://example.com/${encodedPath}`), allow: { sizes: [400, 800] } });
 * export default { fetch: async (request) => (await images(request)) ?? new Response("Not found", { status: 404 }) };
 */
export function createImageServer(options: ImageServerOptions): (request: Request) => Promise<Response | undefined>;
