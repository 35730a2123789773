// What `init` takes.

import type { Input } from "./inputs.js";

/** Options of `init`. Members that are `undefined` count as absent. */
export interface InitOptions {
  /**
   * The WebAssembly, for programs that do not load it from the package, for example because they embed it in their own file. Default: the
   * package's own files, `filepress/wasm/{client,photo,avif,core,full}/filepress_bg.wasm`.
   *
   * - One source, of the build `core` or `full`: this build is used for everything on the device. Only a `Client` still loads the package's
   *   `client` build.
   * - Sources by name: builds that are not named are loaded from the package.
   */
  wasm?: Source | Sources | undefined;

  /**
   * Address of a folder with the package's worker scripts (`worker-*.js`), `lib` and `wasm`, for bundlers that do not copy these files. A
   * relative address is relative to the page. The folder must be on the page's origin, because browsers do not start workers from other
   * origins. In Node, the address is a path or a `file:` URL. The option is refused in Cloudflare Workers (`invalid_option`). Default: the
   * folder that the package was loaded from.
   */
  workers?: string | URL | undefined;

  /**
   * Whether workers are used. `false`: the work runs on the calling thread and blocks it, and `signal` is only checked before and after the
   * work. Has no effect where there are no workers. Default `true`.
   */
  worker?: boolean | undefined;

  /**
   * How long an idle worker is kept, in milliseconds. Integer from 0 to 2,147,483,647. Default 30,000. A worker with more than 64 MiB of
   * memory frees it after 5,000 idle milliseconds in any case.
   */
  idle?: number | undefined;

  /**
   * Decoders by media type, for images of formats that filepress recognizes but does not read, such as `"image/heic"`. They replace those of
   * an earlier call. Formats that filepress reads never get to a decoder. Default: none; browsers decode what they can themselves.
   */
  decoders?: Readonly<Record<`image/${string}`, Decoder>> | undefined;
}

/**
 * Decodes an image of a format that filepress does not read. It is called on the calling thread with the file, and with the signal of the
 * call, if there is one. It returns upright pixels in sRGB, or a file of a format that filepress reads; what has a method `close`, as an
 * `ImageBitmap` does, is closed. If it throws, the call rejects with `corrupt`.
 */
export type Decoder = (file: Blob, options: { signal: AbortSignal | undefined }) => Input | PromiseLike<Input>;

/**
 * One WebAssembly build: a compiled module, the bytes of a module, a response, or an address to fetch the module from; or a promise of one of
 * these. In Node, an address may also be a `file:` URL or a path. Cloudflare Workers accept only a `WebAssembly.Module`.
 */
export type Source = SourceValue | PromiseLike<SourceValue>;

/** The value of a {@link Source}. */
export type SourceValue = WasmModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

/** A `WebAssembly.Module`. TypeScript declares that type in its DOM library. In a program without that library, this type is `object`. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

/** Sources by build. Builds that are not named are loaded from the package. */
export interface Sources {
  /**
   * Recognizes files, plans calls and talks to the server, on the calling thread. Used by every call. If {@link InitOptions.wasm} is a single
   * source, that build recognizes files and plans calls itself, and only a `Client` loads the `client` build.
   */
  client?: Source;
  /**
   * Converts JPEG to JPEG or lossy WebP. Loaded for the first such call, unless `core` is loaded already. Not used in Cloudflare Workers and
   * service workers, where `core` does this work.
   */
  photo?: Source;
  /**
   * Converts JPEG to AVIF. Loaded for the first such call, unless `full` is loaded already. Not used in Cloudflare Workers, where
   * `full` does this work. Service workers cannot load this build.
   */
  avif?: Source;
  /**
   * Has the formats JPEG, PNG, WebP, GIF, BMP, ICO, PNM, TGA, QOI and farbfeld. Loaded for the first call that needs only these formats and
   * that `photo` cannot do.
   */
  core?: Source;
  /**
   * Has everything in `core` and `avif`, and the formats whose `Format.build` is `"full"`: AVIF, TIFF, OpenEXR, Radiance HDR, DDS, SVG. Loaded
   * for the first call that reads or writes one of these formats and that `avif` cannot do, and for `quality: "auto"`, `lossless` from
   * JPEG to JPEG, `score`, JPEGs with arithmetic coding or 12 bits per sample, and color profiles that have to be applied because the
   * output cannot carry them. Service workers cannot load this build.
   */
  full?: Source;
}
