// The WebAssembly sources that `init` takes.

/**
 * One WebAssembly build: a compiled module, its bytes, a response, or an address to fetch it from; or a promise of one of these. In
 * Node an address may also be a `file:` URL or a path. Cloudflare Workers accept only a `WebAssembly.Module`.
 */
export type Source = SourceValue | PromiseLike<SourceValue>;

/** The value of a {@link Source}. */
export type SourceValue = WebAssembly.Module | ArrayBuffer | ArrayBufferView | Response | URL | string;

/** Sources by build. Builds that are not named are loaded from the package. */
export interface Sources {
  /** Recognizes files, plans calls and talks to the service, on the calling thread. Always used. */
  client?: Source;
  /**
   * JPEG to JPEG or lossy WebP. Loaded for the first such call, unless `core` is loaded already. Not used in Cloudflare Workers and
   * service workers, where `core` does its work.
   */
  photo?: Source;
  /** JPEG, PNG, WebP, GIF, BMP, ICO, PNM, TGA, QOI, farbfeld. Loaded for the first call that `photo` cannot do. */
  core?: Source;
  /**
   * Everything in `core`, and the formats whose `Format.build` is `"full"`: AVIF, TIFF, OpenEXR, Radiance HDR, DDS, SVG. Loaded for
   * the first call that reads or writes one of these, and for `quality: "auto"`, `lossless` from JPEG to JPEG, `effort: 9` of PNG and
   * ICO, `score`, and for color profiles that have to be applied because the output cannot carry them.
   */
  full?: Source;
}
