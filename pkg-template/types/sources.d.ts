// What `init` takes.

/**
 * WebAssembly to be used: a compiled module, bytes, a response, or an address to fetch it from (in Node also a `file:` URL or
 * a path), or a promise of one of these. In Cloudflare Workers only a `WebAssembly.Module`.
 */
export type Source = SourceValue | PromiseLike<SourceValue>;

/** See {@link Source}. */
export type SourceValue = WebAssembly.Module | ArrayBuffer | ArrayBufferView | Response | URL | string;

/** A source for some builds; the others are loaded from the package. */
export interface Sources {
  /** Recognizes files and plans calls, on the calling thread. Always used. */
  client?: Source;
  /**
   * From JPEG to JPEG or lossy WebP. Used when the first such call comes, unless `core` is there already, which does the same.
   * In Cloudflare Workers and service workers it is not used.
   */
  photo?: Source;
  /** JPEG, PNG, WebP, GIF, BMP, ICO, PNM, TGA, QOI, farbfeld. Used when the first call comes that `photo` is not enough for. */
  core?: Source;
  /**
   * Everything that `core` has, and the types whose {@link Format.build} is `"full"`: AVIF, TIFF, OpenEXR, Radiance HDR, DDS,
   * SVG. Used when the first call comes that reads or writes one of these, and for `quality: "auto"`, `lossless` from JPEG to
   * JPEG, `effort: 9` of PNG and ICO, a color profile that has to be applied since the output cannot carry it, and
   * {@link score}.
   */
  full?: Source;
}
