// The options of `init`.

import type { Input } from "./inputs.js";

/** Options of `init`. Members that are `undefined` count as absent. */
export interface InitOptions {
  /**
   * Where the WebAssembly comes from, for programs that cannot load it from the package, for example because they embed it. Default: the
   * package's own files, `filepress/wasm/{client,photo,photo_avif,avif,core,full,jxl}/filepress_bg.wasm`.
   *
   * - One source, of the build `core` or `full`: this build is used for all work on the device except reading JPEG XL. A `Client` still loads the
   *   package's `client` build.
   * - Sources by name: builds that are not named are loaded from the package.
   */
  wasm?: Source | Sources | undefined;

  /**
   * URL of a folder with the package's worker scripts (`worker-*.js`), `lib` and `wasm`, for bundlers that do not copy these files. A
   * relative URL is relative to the page. The folder must be on the page's origin, because browsers do not start workers from other
   * origins. In Node, a path or a `file:` URL. The option is refused in Cloudflare Workers (`invalid_option`). Default: the folder that the
   * package was loaded from.
   */
  workers?: string | URL | undefined;

  /**
   * Whether workers are used. `false`: the work runs on the calling thread and blocks it, and `signal` is checked only before and after the
   * work. No effect in runtimes without workers. Default `true`.
   */
  worker?: boolean | undefined;

  /**
   * How long an idle worker is kept, in milliseconds. Integer from 0 to 2,147,483,647. Default 30,000. A worker with more than 64 MiB of
   * memory frees it after 5,000 idle milliseconds, whatever this option says.
   */
  idle?: number | undefined;

  /**
   * Decoders by media type, for images of formats that filepress recognizes but does not read, such as `"image/heic"`. They replace the
   * decoders of an earlier call. They are not used for formats that filepress reads, except that a decoder for `"image/jxl"` is used instead of the
   * build `jxl`. Default: none. For a format without a decoder, filepress uses the browser's own decoder, if there is one.
   */
  decoders?: Readonly<Record<`image/${string}`, Decoder>> | undefined;
}

/**
 * Decodes an image of a format that filepress does not read. It is called on the calling thread with the file, and with the signal of the
 * call, if there is one. It returns upright pixels in sRGB, or a file of a format that filepress reads. If the returned object has a `close`
 * method, as an `ImageBitmap` does, filepress calls it afterwards. If the decoder throws an error, the call rejects with `corrupt`.
 */
export type Decoder = (file: Blob, options: { signal: AbortSignal | undefined }) => Input | PromiseLike<Input>;

/**
 * One WebAssembly build: a compiled module, the bytes of a module, a `Response`, or a URL to fetch the module from; or a promise of one of
 * these. In Node, it can also be a `file:` URL or a path. In Cloudflare Workers, only a `WebAssembly.Module` is accepted.
 */
export type Source = SourceValue | PromiseLike<SourceValue>;

/** The value of a {@link Source}. */
export type SourceValue = WasmModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

/** A `WebAssembly.Module`. TypeScript declares that type in its DOM library. In a program without that library, this type is `object`. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

/** Sources by build. Builds that are not named are loaded from the package. */
export interface Sources {
  /**
   * Detects formats, checks options, plans calls and talks to the server, on the calling thread. Every call uses it. If {@link InitOptions.wasm}
   * is a single source, that build detects formats and plans calls itself, and only a `Client` loads the `client` build.
   */
  client?: Source;
  /**
   * Converts JPEG to JPEG or lossy WebP. Loaded for the first such call, unless `core` is loaded already. Not used in Cloudflare Workers and
   * service workers, where `core` does this work.
   */
  photo?: Source;
  /**
   * Converts JPEG to AVIF. Loaded for the first such call, unless `avif` or `full` is loaded already. Not used in
   * Cloudflare Workers, where `avif` or `full` does this work. Service workers cannot load this build.
   */
  photo_avif?: Source;
  /**
   * Converts JPEG, PNG and WebP to AVIF, also with transparency and crop strategies. Loaded for the first such call that `photo_avif` cannot do,
   * unless `full` is loaded already. In Cloudflare Workers, only `filepress/avif` has it. Service workers cannot load this build.
   */
  avif?: Source;
  /**
   * Has the formats JPEG, PNG, WebP, GIF, BMP, ICO, PNM, TGA, QOI and farbfeld, and also crop strategies, overlays and HDR gain maps. Loaded for
   * the first call that needs no other format, and that `photo` cannot do.
   */
  core?: Source;
  /**
   * Has everything in `core` and `avif`, and the formats whose `Format.build` is `"full"`: AVIF, TIFF, OpenEXR, Radiance HDR, DDS, SVG. Loaded
   * for the first call that needs one of these, unless `avif` is enough:
   *
   * - one of these formats, as input, output or overlay
   * - `quality: "auto"`, `score`, or `lossless` from JPEG to JPEG
   * - a JPEG with arithmetic coding or 12 bits per sample
   * - a color profile that has to be applied, because the output format cannot store it or the image is CMYK
   *
   * Service workers cannot load this build.
   */
  full?: Source;
  /**
   * Reads JPEG XL: makes a PNG of it without loss, which then is the input of the other builds. Loaded for the first such file, unless
   * {@link InitOptions.decoders} has a decoder for it. Service workers cannot load this build.
   */
  jxl?: Source;
}
