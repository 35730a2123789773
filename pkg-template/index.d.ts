// The public interface of filepress. It needs the DOM's types (Blob, Response, AbortSignal, WebAssembly) and nothing else.

import type { Client, Task } from "./client.js";

export * from "./client.js";

/**
 * What a call reads: a `Blob` or `File`, an `ArrayBuffer`, any view of one (typed array, `DataView`, Node's `Buffer`), or a
 * `Response` whose body has not been read.
 *
 * It is never changed and never detached. Buffers and views are copied when the call is made; of a view, only the bytes that
 * it shows. A `Blob` or `File` is read when it is its turn. The body of a `Response` is read at once and is gone then, up to
 * {@link Limits.maxInputBytes}: over that, as after an abort, its download is cancelled.
 */
export type Input = Blob | ArrayBufferLike | ArrayBufferView | Response;

/** A type that this version writes: a media type, or one of its file extensions. */
export type OutputType =
  | "image/jpeg" | "jpeg" | "jpg"
  | "image/png" | "png"
  | "image/webp" | "webp"
  | "image/gif" | "gif"
  | "image/bmp" | "bmp"
  | "image/x-icon" | "ico"
  | "image/x-portable-anymap" | "pnm"
  | "image/x-tga" | "tga"
  | "image/qoi" | "qoi"
  | "image/x-farbfeld" | "ff"
  | "image/avif" | "avif"
  | "image/tiff" | "tiff" | "tif"
  | "image/x-exr" | "exr"
  | "image/vnd.radiance" | "hdr"
  | "image/vnd.ms-dds" | "dds"
  | "image/svg+xml" | "svg";

/**
 * Makes a file smaller; with `to`, in another format.
 *
 * Without `to`, `quality` and `resize` the result is never larger than the input: see {@link Result.keptOriginal}. A kept TIFF is put
 * together anew without its metadata, and may have a byte more for each of its parts, which begin at even places.
 * The EXIF orientation is applied to pixels that are coded, once. Colors do not shift: the ICC profile is kept where the output can
 * carry it, else the pixels are converted to sRGB.
 *
 * The work is done off the calling thread, in a pool of at most 8 workers (no more than there are processor cores, and in
 * Node one for 512 MiB of memory). Further calls wait their turn, as do those whose pictures would, by an estimate, take more
 * memory together than a quarter of the device's (`navigator.deviceMemory`, or 4 GiB where it is not told), in Node a half.
 * Where there are no workers (Cloudflare Workers, service workers) it is done on the calling thread.
 *
 * Images stay on the device. Video, audio and PDF go to a service, for which the options name a {@link Client}; so does an image
 * that is over a limit of this device, where there is one.
 *
 * Rejects with a subclass of {@link FilepressError}, or with the reason of an aborted `signal`. Nothing else is thrown, and
 * nothing synchronously.
 *
 * @example
 * const { blob, inputSize, outputSize } = await compress(file, { quality: 80, resize: { maxWidth: 1600 } });
 * const small = await compress(movie, { client });
 */
export function compress(input: Input, options: Omit<CompressOptions, "as"> & StreamOptions): Promise<StreamResult>;
/** As above, with a {@link Client}: the work is done here or by its service, as {@link Result.engine} tells. */
export function compress(input: Input, options: CompressOptions & RemoteOptions): Promise<Result | RemoteResult>;
/** As above, on the device. */
export function compress(input: Input, options?: CompressOptions): Promise<Result>;

/**
 * Makes a file of another type: {@link compress} with `to`. The result may be larger than the input.
 *
 * @param to Media type or file extension of the output. `unsupported_output` where this version does not write it.
 * @example
 * const { blob, name } = await convert(file, "image/webp", { quality: 75 });
 */
export function convert(
  input: Input,
  to: OutputType | (string & {}),
  options: Omit<ConvertOptions, "as"> & StreamOptions,
): Promise<StreamResult>;
/** As above, with a {@link Client}: the work is done here or by its service, as {@link Result.engine} tells. */
export function convert(
  input: Input,
  to: OutputType | (string & {}),
  options: ConvertOptions & RemoteOptions,
): Promise<Result | RemoteResult>;
/** As above, on the device. */
export function convert(input: Input, to: OutputType | (string & {}), options?: ConvertOptions): Promise<Result>;

/**
 * Tells what an image is, from its header; no pixel is decoded. Bytes that end behind the header are enough: in an AVIF
 * behind the `meta` box, which stands before the pixels as a rule. A TIFF may have its header at the end, and an ICO in each of
 * its pictures: they have to be whole. `frames` are counted as far as they are there.
 *
 * Rejects as {@link compress} does.
 */
export function inspect(input: Input, options?: InspectOptions): Promise<Inspection>;

/**
 * Tells how much an image differs to the eye from the one that it was made of, by SSIMULACRA2. Both are decoded as
 * {@link compress} decodes them: upright, and their colors in sRGB, whatever profiles they carry. Where `other` has another size, the
 * original is brought to it first, by the resampler of `resize`: what is measured then is the coding alone.
 *
 * Of an animation the first frame is compared, of a file of several pages the first, each with a warning. An SVG is drawn in its
 * own size, or in that of `other`. It takes the `full` build.
 *
 * Rejects as {@link compress} does; with `sizes_differ` where the two do not have one shape, with `needs_service` for what is no
 * image.
 *
 * @example
 * const { blob } = await compress(file, { quality: 60 });
 * const { score: look } = await score(file, blob); // 90 can hardly be told apart
 */
export function score(original: Input, other: Input, options?: ScoreOptions): Promise<Score>;

/** All types that filepress knows, and what this version does with each. Rejects with `engine_load` only. */
export function formats(): Promise<Format[]>;

/**
 * Says where the WebAssembly comes from, where the package cannot find its own: when a bundler does not understand
 * `new URL("./wasm/…", import.meta.url)`, or everything has to be in one file. Nobody else needs it.
 *
 * Call it before anything else; it does not have to be awaited, since later calls wait for it. Builds that are running
 * already stay as they are.
 *
 * Resolves when everything given is compiled. Rejects with `invalid_option` or `unknown_option` for what is no source, no module of
 * this package, or another build than its name says, and with `engine_load` where it cannot be loaded. What was in use before is
 * in use again then, also for calls made meanwhile.
 *
 * @param source One build that then serves for everything (`core` or `full`; with `client` or `photo` alone the others are still
 * loaded by the package), or several builds by name. The files are `filepress/wasm/{client,photo,core,full}/filepress_bg.wasm`.
 */
export function init(source: Source | Sources): Promise<void>;

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

/**
 * Options of {@link compress}. Members that are `undefined` are as absent; unknown ones are refused (`unknown_option`), and `null` is no
 * value of any (`invalid_option`), but in `settings`.
 */
export interface CompressOptions {
  /**
   * Type of the output: media type or file extension. Default: the input's type.
   *
   * Throws `invalid_option` for a type that is not known, `unsupported_output` for one that cannot be written,
   * `unsupported_pair` for one that the input cannot become, `needs_service` for video, audio and PDF without a `client`.
   */
  to?: OutputType | (string & {}) | undefined;

  /**
   * Where the work is done. Default `"auto"`.
   *
   * - `"auto"`: images here, everything else by the service of `client`. An image that is over a limit of this device
   *   (`input_too_large`, `too_many_pixels`, `too_much_memory`) goes there as well, if there is a client, with the warning
   *   `over_local_limit`.
   * - `"local"`: here, or not at all (`needs_service`).
   * - `"remote"`: by the service, images too. `needs_service` without a `client`.
   *
   * Else `invalid_option`.
   */
  engine?: "auto" | "local" | "remote" | undefined;

  /**
   * Further settings of the service's task, by its own names: `{ crf: 30, mute: true }`. They go before what the other options
   * say. Without effect on the device. A plain object that JSON can hold, else `invalid_option`; what the service does not know
   * of it, it refuses.
   */
  settings?: Record<string, unknown> | undefined;

  /**
   * Whether the service keeps the input and the output once the output is downloaded, until their retention ends. Default `false`:
   * both are deleted, and the addresses in `task` no longer work. Without effect on the device. Boolean, else `invalid_option`.
   */
  keepRemote?: boolean | undefined;

  /**
   * What holds the bytes of the result: `"blob"`, the default, or `"stream"`: see {@link StreamOptions}. Else `invalid_option`.
   */
  as?: "blob" | undefined;

  /**
   * How much detail is kept: whole number, 1 (smallest) to 100 (best), or `"auto"`. Else `invalid_option`.
   *
   * - JPEG: default 80. Chroma is halved below 90.
   * - WebP: default 80; none with `lossless`.
   * - AVIF: default 60.
   * - PNG: no default, lossless. If given, the output is lossy: a palette of at most 256 colors, fewer at low values.
   * - GIF: default 100, 256 colors; fewer at lower values.
   * - OpenEXR, DDS: no default, lossless. If given, 16-bit numbers, and compression by blocks.
   * - Other types have none; it is ignored with the warning `option_ignored`.
   *
   * `"auto"` (JPEG, WebP, AVIF, PNG) searches the lowest quality whose SSIMULACRA2 score against the picture that is coded
   * is at least `minScore`; {@link Result.quality} and {@link Result.score} tell what was found. Every step of the search
   * encodes, decodes and compares: reckon with several times the time of a plain call.
   */
  quality?: number | "auto" | undefined;

  /**
   * The score that `quality: "auto"` has to reach: number, 1 to 100, else `invalid_option`. Default 80, where differences are
   * hard to see side by side. Without that search it is ignored with the warning `option_ignored`.
   */
  minScore?: number | undefined;

  /**
   * The most bytes that the output may have: whole number, 1 to 9,007,199,254,740,991 (2⁵³ − 1), else `invalid_option`. The
   * picture is decoded once; then the highest quality that fits is searched (at most `quality`, where that is given), and where
   * none that looks decent does, the picture is made smaller, with the warning `resized_to_fit`. With `resize.width` or
   * `resize.height` the size is exact and stays, with `lossless` every pixel does. An input that already fits, and of which
   * nothing else is asked, is handed back.
   *
   * Rejects with `target_unreachable` where nothing is small enough, and with `invalid_option` beside `quality: "auto"`.
   */
  targetSize?: number | undefined;

  /**
   * Keep every pixel as it is: `true` or `false`, else `invalid_option`. Default `false`.
   *
   * - WebP: the lossless coding of the format.
   * - JPEG from JPEG without `resize`: only the entropy coding is made anew. From anything else: `lossless_unsupported`.
   * - PNG: lossless even if `quality` is given.
   * - AVIF and GIF: `lossless_unsupported`. Other types are lossless anyway.
   */
  lossless?: boolean | undefined;

  /**
   * Time spent on making the file smaller: whole number, 0 (fastest) to 9 (smallest). Default 4. Else `invalid_option`.
   *
   * - JPEG: 0 and 1 write baseline files, 2 to 6 progressive ones; 7 to 9 look at all of the picture twice.
   * - PNG and ICO: filters tried and deflate strength grow with it; 9 takes zopfli, which is many times slower than 8. Lossless
   *   PNGs of photos are the same from 2 to 4.
   * - Lossy WebP: 0 to 6; more is as 6.
   * - AVIF: each step takes about half as long again as the one before it.
   * - TIFF: strength of the compression.
   * - Lossless WebP and all other types: no effect.
   */
  effort?: number | undefined;

  /** Size of the output. Default: the size of the input. */
  resize?: Resize | undefined;

  /**
   * Color under transparent pixels where the output has no transparency (JPEG, PNM, Radiance HDR): `"#rgb"`, `"#rrggbb"`,
   * `"white"` or `"black"`, in sRGB. Default `"white"`. Else `invalid_option`. Where it shows there is the warning
   * `alpha_flattened`.
   */
  background?: string | undefined;

  /**
   * What travels beside the pixels. Default `"safe"`; else than the three, `invalid_option`. Orientation is applied to the pixels, but
   * where these stay as they are coded (a kept original, `lossless` from JPEG to JPEG): there it stays in the EXIF data, and
   * {@link Result.width} and {@link Result.height} are the upright ones all the same.
   * Outputs that carry it: JPEG, PNG, WebP, AVIF and TIFF. Of a kept original the coded pixels stay; what stands beside them,
   * comments as well, is held to this too, whatever carries it.
   *
   * - `"safe"`: color profile, and the author and copyright that EXIF names; no place, no device, no thumbnail. Those that XMP, IPTC or
   *   texts of a PNG name are left out with them.
   * - `"keep"`: color profile, EXIF, XMP and IPTC. `metadata_dropped` warns of those that the output cannot carry, and of comments,
   *   texts of a PNG and extended XMP, which none can; other resources of Photoshop are left out without a warning.
   * - `"strip"`: the color profile alone, and only where it is not sRGB.
   *
   * A service keeps all or nothing: `"keep"`, else what is left by `"strip"`. Where it made an image by `"safe"`, and input and output are
   * of the types above, `metadata_dropped` warns that author and copyright are gone.
   */
  metadata?: "safe" | "keep" | "strip" | undefined;

  /**
   * Whether what moves stays moving. Default `"keep"`; else than the two, `invalid_option`.
   *
   * - `"keep"`: GIF, animated WebP and APNG stay animations where the output is GIF or WebP, with their delays and number
   *   of rounds; for other outputs the first frame is taken, with the warning `animation_dropped`.
   * - `"first"`: the first frame is taken.
   */
  animation?: "keep" | "first" | undefined;

  /**
   * Fonts for the text of an SVG: the bytes of TrueType or OpenType files, copied at once. They go before the one that is built
   * in, which has Latin, Greek and Cyrillic letters. `invalid_option` for what is no font, where there is an SVG to draw.
   */
  fonts?: readonly (ArrayBuffer | Uint8Array)[] | undefined;

  /** Upper bounds of this call. */
  limits?: Limits | undefined;

  /**
   * Ends the call, which then rejects with `signal.reason` at once. The task that a service has taken is canceled.
   * A call that waits is taken out of the queue; the worker of a running one is terminated, and others go on. Without workers the
   * signal is seen before and after the engine's work only, which cannot be interrupted there. Else than an `AbortSignal`:
   * `invalid_option`.
   */
  signal?: AbortSignal | undefined;

  /**
   * Called as the call proceeds, on the calling thread. What it throws does not affect the call; it goes to `reportError`
   * where there is one. Else than a function: `invalid_option`.
   */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of {@link convert}. */
export type ConvertOptions = Omit<CompressOptions, "to">;

/** What {@link CompressOptions} may have beside, so that a service is there for what cannot be done on the device. */
export interface RemoteOptions {
  /** Reaches the service. Without one, what needs it rejects with `needs_service`. */
  client: Client | undefined;
}

/** What {@link CompressOptions} may have beside, so that the result is a stream, which takes no memory for what is large. */
export interface StreamOptions {
  /** The result holds a stream of the bytes. That of a service's result begins to be downloaded as it is read. */
  as: "stream";
  /** As in {@link RemoteOptions}. */
  client?: Client | undefined;
}

/** Options of {@link inspect}. */
export interface InspectOptions {
  /** As in {@link CompressOptions.signal}. */
  signal?: AbortSignal | undefined;
  /** Only `maxInputBytes` matters, since no pixel is decoded. */
  limits?: Limits | undefined;
}

/** Options of {@link score}. */
export interface ScoreOptions {
  /** As in {@link CompressOptions.signal}. */
  signal?: AbortSignal | undefined;
  /**
   * What transparent pixels are painted over where the two have not both an alpha channel that says something, as in
   * {@link CompressOptions.background}. Default `"white"`. Where both have, they are judged over black and over white, and the
   * lower score counts.
   */
  background?: string | undefined;
  /** Upper bounds: `maxInputBytes` and `maxPixels` of each of the two, `maxMemoryBytes` of both together. */
  limits?: Limits | undefined;
}

/**
 * The size of the output in pixels, measured upright. All members are whole numbers from 1 to 16383, else `invalid_option`.
 *
 * `width` or `height` alone keeps the aspect ratio.
 */
export interface Resize {
  /** Width. May enlarge. */
  width?: number | undefined;
  /** Height. May enlarge. */
  height?: number | undefined;
  /** Upper bound of the width, after the other members. Keeps the aspect ratio, never enlarges. */
  maxWidth?: number | undefined;
  /** Upper bound of the height, after the other members. Keeps the aspect ratio, never enlarges. */
  maxHeight?: number | undefined;
  /**
   * What `width` and `height` together mean. Default `"fill"`; else than the three, `invalid_option`.
   *
   * - `"fill"`: exactly that size, stretched.
   * - `"contain"`: the largest size inside it that keeps the aspect ratio.
   * - `"cover"`: exactly that size, filled; what stands over is cut off evenly on both sides.
   */
  fit?: "fill" | "contain" | "cover" | undefined;
}

/**
 * Upper bounds, held against the size and the header before a pixel is decoded. More rejects with {@link LimitError}. All members
 * are whole numbers from 1 to 9,007,199,254,740,991 (2⁵³ − 1), else `invalid_option`.
 */
export interface Limits {
  /**
   * Bytes of the input. Default 268,435,456 (256 MiB) on the device, none for the service. `input_too_large`.
   *
   * A `Response` is refused by its `content-length`, or as soon as more has come. Without this limit it is read up to the default, with
   * a `client` and another `engine` than `"local"` to its end.
   */
  maxInputBytes?: number | undefined;
  /** Width × height, of the input and of the output. Default 100,000,000. `too_many_pixels`. */
  maxPixels?: number | undefined;
  /**
   * Bytes of memory, estimated from the header as what noise would take: a photo takes less, and noise as AVIF up to a tenth more
   * where a search tries qualities above 95. Default 1,073,741,824 (1 GiB). `too_much_memory`.
   */
  maxMemoryBytes?: number | undefined;
}

/** Where a call stands. */
export interface Progress {
  /**
   * What is done now. On the device, in this order: `"load"` (the input is known; the engine is loaded and the call may wait for
   * a worker), `"decode"`, `"resize"` (only if the size changes), `"encode"`, `"done"`. By the service: `"load"`, `"upload"`,
   * `"process"`, `"download"`, `"done"`.
   */
  phase: "load" | "decode" | "resize" | "encode" | "upload" | "process" | "download" | "done";
  /**
   * Bytes that went by: of the input in `"upload"`, of the output in `"download"`. In the other phases, bytes of the input that
   * the engine has: 0 in `"load"`, then `total`.
   */
  loaded: number;
  /** Bytes of the output in `"download"`, else of the input. */
  total: number;
  /** Share of the whole call that is done, 0 to 1, estimated. Never decreases; 1 comes with `"done"`. */
  ratio: number;
}

/** What {@link compress} and {@link convert} resolve to. */
export interface Result {
  /** The output, with its type set. */
  blob: Blob;
  /** The output's bytes, a copy at each call. */
  bytes(): Promise<Bytes>;
  /** Media type of the output: the one asked for, never another. */
  type: string;
  /**
   * A name to save it under: the input's (of a `File`, or the last part of a `Response`'s URL) with the extension of `type`,
   * without characters that file systems refuse. `"image"` with that extension where the input has no name.
   */
  name: string;
  /** Width of the output in pixels. */
  width: number;
  /** Height of the output in pixels. */
  height: number;
  /** The quality that was used; `undefined` where the coding has none, or the original was kept. */
  quality?: number;
  /**
   * SSIMULACRA2 score of the output against the picture that was coded, where `quality: "auto"` measured it: 100 is
   * identical, 90 can hardly be told apart, 70 is high quality, 50 medium.
   */
  score?: number;
  /** Media type of the input, by its bytes. */
  inputType: string;
  /** Width of the input in pixels, upright. */
  inputWidth: number;
  /** Height of the input in pixels, upright. */
  inputHeight: number;
  /** Bytes of the input. */
  inputSize: number;
  /** Bytes of the output. */
  outputSize: number;
  /** Where it was made: on this device. */
  engine: "local";
  /**
   * The coded pixels are the input's own, since it fits into `targetSize` as it is or coding them again gained nothing. Only
   * where neither another type nor another size was asked for. What `metadata` removes is removed all the same.
   */
  keptOriginal: boolean;
  /** What was lost or done otherwise than one might expect. Often empty. */
  warnings: Warning[];
}

/** What {@link compress} and {@link convert} resolve to where the service did the work. */
export interface RemoteResult {
  /** The output, with its type set. */
  blob: Blob;
  /** The output's bytes, a copy at each call. */
  bytes(): Promise<Bytes>;
  /** Media type of the output: what the service says, where that is one of {@link formats}, else the one that was asked for. */
  type: string;
  /** As in {@link Result.name}; `"file"` with the extension where the input has no name. */
  name: string;
  /** Width of the output in pixels, where it has one and the service tells. */
  width?: number;
  /** Height of the output in pixels, where it has one and the service tells. */
  height?: number;
  /** Seconds that the output plays, where it does and the service tells. */
  duration?: number;
  /** Pages of the output, where it has some and the service tells. */
  pages?: number;
  /** Media type of the input, by its bytes. */
  inputType: string;
  /** Bytes of the input. */
  inputSize: number;
  /** Bytes of the output. */
  outputSize: number;
  /** Where it was made: by the service. */
  engine: "remote";
  /** The output is the input, since it fits into `targetSize` as it is or coding it again gained nothing. */
  keptOriginal: boolean;
  /** What was lost or done otherwise than one might expect, on either side. Codes of the service may be others. */
  warnings: (Warning | { code: string; message: string })[];
  /** The task, as it ended. */
  task: Task;
}

/** A result with `as: "stream"`: a stream stands in the place of the `Blob`. */
export type StreamResult = (Omit<Result, "blob" | "bytes"> | Omit<RemoteResult, "blob" | "bytes">) & {
  /** The output's bytes, to be read once. */
  stream: ReadableStream<Bytes>;
};

/** A `Uint8Array` with memory of its own, in the words of any version of TypeScript. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;

/** Something that was lost or done otherwise than one might expect. */
export interface Warning {
  /** Stable name. */
  code: WarningCode;
  /** A sentence in English for a person. */
  message: string;
}

/**
 * - `animation_dropped`: the input moves, the output holds its first frame.
 * - `animation_kept`: the input moves and was handed back as it is.
 * - `alpha_flattened`: transparent pixels were painted over `background`, or made opaque or clear (GIF).
 * - `metadata_dropped`: the output does not have all that `metadata: "keep"` asked for; or a service made it, and removed author and
 *   copyright with all else: see {@link CompressOptions.metadata}.
 * - `colors_reduced`: the output has fewer colors than the input.
 * - `color_converted`: the output cannot carry the color profile; pixels were converted to sRGB.
 * - `resized_to_fit`: the image was made smaller, since the output's type cannot be as large (ICO: 256 × 256) or to fit
 *   into `targetSize`.
 * - `pages_dropped`: the input has several pages, the output holds the first.
 * - `tone_mapped`: the input has light brighter than white, which was compressed into what the output can show.
 * - `light_clipped`: light below none became black, since the output holds no negative numbers (Radiance HDR).
 * - `score_unreached`: no quality reaches `minScore`; the output has the best.
 * - `option_ignored`: an option has no meaning for this output, or for the service.
 * - `over_local_limit`: the image was over a limit of this device, and went to the service.
 */
export type WarningCode =
  | "animation_dropped"
  | "animation_kept"
  | "alpha_flattened"
  | "metadata_dropped"
  | "colors_reduced"
  | "color_converted"
  | "resized_to_fit"
  | "pages_dropped"
  | "tone_mapped"
  | "light_clipped"
  | "score_unreached"
  | "option_ignored"
  | "over_local_limit";

/** What {@link inspect} resolves to. */
export interface Inspection {
  /** Media type, by the bytes and not by what was declared. */
  type: string;
  /** Width in pixels, upright (orientation applied). */
  width: number;
  /** Height in pixels, upright (orientation applied). */
  height: number;
  /** Frames of an animation, or pages; 1 for an ICO, whose pictures are sizes of one. */
  frames: number;
  /** Whether there is an alpha channel or a transparent color. It may be opaque throughout. */
  hasAlpha: boolean;
  /** Bits a channel. */
  bitDepth: number;
  /** How the colors are stored. */
  colorSpace: "gray" | "rgb" | "ycbcr" | "cmyk";
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  /** Whether the file carries an ICC color profile. */
  hasIccProfile: boolean;
  /** The least build that reads and writes its type: for JPEG and WebP `"core"`, of which `photo` has a part. */
  build: "core" | "full" | null;
}

/** What {@link score} resolves to. */
export interface Score {
  /**
   * SSIMULACRA2: 100 is identical, 90 can hardly be told apart, 70 is high quality, 50 medium; what has little in common with the
   * original is below 0. Thousandths, rounded down. It looks at six scales: below 32 pixels a side most are missing, and it says
   * little.
   */
  score: number;
  /** Width in pixels at which the two were compared: that of `other`, upright. */
  width: number;
  /** Height in pixels at which the two were compared. */
  height: number;
  /** The original has another size, and was resized before it was compared. */
  resized: boolean;
  /** `animation_dropped` and `pages_dropped`, of either: only its first picture was compared. Often empty. */
  warnings: Warning[];
}

/** A type, and what this version does with it. */
export interface Format {
  /** Media type, for example `"image/jpeg"`. */
  type: string;
  /** Name for a person, for example `"JPEG"`. */
  name: string;
  /** File extensions without a dot, the usual one first. */
  extensions: string[];
  /** What kind of thing it is. */
  class: "image" | "video" | "audio" | "document";
  /** Whether it can be an input. */
  read: boolean;
  /** Whether it can be an output. */
  write: boolean;
  /** `"local"`: on this device. `"remote"`: by a service, see {@link RemoteOptions.client}. */
  engine: "local" | "remote";
  /** The build with its codec; `null` where it is not local. Of JPEG and WebP, `photo` has a part of what `"core"` has. */
  build: "core" | "full" | null;
}

/**
 * What every call rejects with, always as one of the subclasses, except for an abort.
 *
 * The subclass and `kind` say whose fault it was; `code` says what it was, by a name that does not change.
 */
export abstract class FilepressError extends Error {
  /** Only filepress makes them. */
  protected constructor();
  /** Whose fault it was, and so what can be done: another input, other options, other limits, or a report of a bug. */
  readonly kind: "input" | "options" | "limits" | "remote" | "internal";
  /** What it was. */
  readonly code: ErrorCode;
  /**
   * Whether the same call may succeed later. True for `engine_load` and `worker_failed`, and for a {@link RemoteError} after
   * network faults and the statuses 408, 425, 429, 500, 502, 503 and 504.
   */
  readonly retryable: boolean;
  /** Facts for a program; which, is said at the subclass. */
  readonly details: object;
  /** What was thrown, where the error stands for something else; in words where that was in a worker. */
  readonly cause?: unknown;
}

/** The codes of all subclasses. */
export type ErrorCode = InputErrorCode | OptionsErrorCode | LimitErrorCode | RemoteErrorCode | InternalErrorCode;

/** The input cannot be used: take another. */
export class InputError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "InputError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "input";
  /** See {@link InputErrorCode}. */
  readonly code: InputErrorCode;
  /** Which facts there are depends on the code. */
  readonly details: {
    /** `unsupported_type`: what it is, as a media type. */
    readonly type?: string;
    /** `unsupported_type`: what it is, by name. */
    readonly name?: string;
    /** `response_not_ok`: the HTTP status; 0 for an opaque response. */
    readonly status?: number;
    /** Of a {@link score}: which of the two files it is about; absent where it is about both, or about neither. */
    readonly file?: "original" | "other";
  };
}

/**
 * - `empty_input`: no bytes.
 * - `unknown_type`: no type that filepress knows.
 * - `unsupported_type`: recognized and named, but not readable here (HEIC, JPEG XL, PSD, ZIP, …).
 * - `corrupt`: damaged or incomplete.
 * - `unreadable_input`: not an {@link Input}, a body that was read before, or a file that cannot be read.
 * - `response_not_ok`: a `Response` without success.
 * - `sizes_differ`: pictures of different shapes were to be compared by {@link score}.
 */
export type InputErrorCode =
  | "empty_input"
  | "unknown_type"
  | "unsupported_type"
  | "corrupt"
  | "unreadable_input"
  | "response_not_ok"
  | "sizes_differ";

/** The call cannot be carried out as it is written: change its options. */
export class OptionsError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "OptionsError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "options";
  /** See {@link OptionsErrorCode}. */
  readonly code: OptionsErrorCode;
  /** Which facts there are depends on the code. */
  readonly details: {
    /** `unknown_option`, `invalid_option`: which one, for example `"resize.width"`. */
    readonly option?: string;
    /** `unsupported_output`, `unsupported_pair`, `needs_service`, and `not_in_build` of an input: the media type in question. */
    readonly type?: string;
    /** `not_in_build`: the build that has what is missing. */
    readonly build?: "core" | "full";
    /** `unsupported_pair`: the media types that the input can become. */
    readonly outputs?: readonly string[];
    /** Of a {@link score}: which of the two files it is about; absent where it is about both, or about neither. */
    readonly file?: "original" | "other";
  };
}

/**
 * - `unknown_option`: no option has that name.
 * - `invalid_option`: a value out of its range or of the wrong type.
 * - `unsupported_output`: this version does not write that type, or not from this input.
 * - `lossless_unsupported`: `lossless` is not possible with this output and these options.
 * - `unsupported_pair`: the service cannot make that type of this input; `details.outputs` tells what it can.
 * - `needs_service`: video, audio and PDF are for a service, and there is no `client`, or `engine` is `"local"`.
 * - `key_in_browser`: a {@link Client} was given an `apiKey` in a page.
 * - `not_in_build`: the one build given to {@link init} lacks the codec, or what {@link score} takes.
 */
export type OptionsErrorCode =
  | "unknown_option"
  | "invalid_option"
  | "unsupported_output"
  | "lossless_unsupported"
  | "unsupported_pair"
  | "needs_service"
  | "key_in_browser"
  | "not_in_build";

/** A limit of the call or of the output's type: raise it, or resize. */
export class LimitError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "LimitError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "limits";
  /** See {@link LimitErrorCode}. */
  readonly code: LimitErrorCode;
  /** The value that broke the limit, and the limit. */
  readonly details: {
    /**
     * What there is: bytes, pixels, or pixels a side, by the code; of a `Response` of unknown length, the bytes that were read. Absent
     * with `too_much_memory`.
     */
    readonly actual?: number;
    /** What is allowed, in the same unit; absent as `actual` is. */
    readonly limit?: number;
    /** `too_much_memory`: the bytes that the call is estimated to need. Absent where a decoder stopped without telling. */
    readonly needBytes?: number;
    /** `too_much_memory`: the bytes that are allowed; absent as `needBytes` is. */
    readonly limitBytes?: number;
    /** `target_unreachable`: the fewest bytes that were reached. */
    readonly smallest?: number;
    /** Of a {@link score}: which of the two files it is about; absent where it is about both, or about neither. */
    readonly file?: "original" | "other";
  };
}

/**
 * - `input_too_large`: bytes, see {@link Limits.maxInputBytes}.
 * - `too_many_pixels`: see {@link Limits.maxPixels}.
 * - `too_much_memory`: bytes, estimated, see {@link Limits.maxMemoryBytes}.
 * - `output_too_large`: pixels a side that the output's type cannot hold.
 * - `target_unreachable`: bytes, see {@link CompressOptions.targetSize}.
 */
export type LimitErrorCode =
  | "input_too_large"
  | "too_many_pixels"
  | "too_much_memory"
  | "output_too_large"
  | "target_unreachable";

/** A service answered with an error, or not at all. */
export class RemoteError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "RemoteError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "remote";
  /** See {@link RemoteErrorCode}. */
  readonly code: RemoteErrorCode;
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** The service's name for the request, to be quoted in a question to its operator. */
  readonly requestId?: string;
  /** The part of the request that was wrong. */
  readonly source?: {
    /** JSON pointer into the body. */
    readonly pointer?: string;
    /** Name of the query parameter. */
    readonly parameter?: string;
    /** Name of the header. */
    readonly header?: string;
  };
  /** `task_failed`: the task, as it ended. */
  readonly task?: Task;
  /** `task_failed`: `reason` is why, by the service's stable name (`corrupt_file`, `timed_out`, …). */
  readonly details: { readonly reason?: string };
}

/**
 * The service's own codes (`rate_limited`, `max_file_size_exceeded`, …, see its documentation), and those of the client:
 *
 * - `network`: no answer: no connection, or it broke. In Node and Workers also a link or redirection that leads from the internet
 *   into a private network.
 * - `timeout`: no answer within {@link ClientOptions.timeout}.
 * - `bad_answer`: an answer that does not follow the interface.
 * - `http_error`: a status of failure without a code.
 * - `task_failed`: the conversion failed; the message and `details.reason` say why.
 * - `wait_timeout`: {@link WaitOptions.timeout} is over.
 * - `no_token`: {@link ClientOptions.getToken} threw, or gave no text of visible ASCII.
 * - `already_uploaded`: {@link Files.upload} of a file that has its bytes already; services say it as well.
 * - `file_not_uploaded`: {@link Files.download} of a file that has no bytes yet; services say it as well.
 * - `foreign_link`: the service sent an address that a key must not go to (another origin), or bytes (no `https:`).
 */
export type RemoteErrorCode =
  | "network"
  | "timeout"
  | "bad_answer"
  | "http_error"
  | "task_failed"
  | "wait_timeout"
  | "no_token"
  | "already_uploaded"
  | "file_not_uploaded"
  | "foreign_link"
  | (string & {});

/** Something went wrong in filepress or around it. The next call starts afresh. */
export class InternalError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "InternalError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "internal";
  /** See {@link InternalErrorCode}. */
  readonly code: InternalErrorCode;
}

/**
 * - `engine_trap`: the engine stopped, or ran out of memory, which the message then says.
 * - `engine_load`: the WebAssembly could not be fetched or compiled; the message says what to change. Retryable.
 * - `worker_failed`: a worker could not be started, or ended. Retryable.
 * - `encode_failed`: an encoder refused what it should have taken.
 */
export type InternalErrorCode = "engine_trap" | "engine_load" | "worker_failed" | "encode_failed";
