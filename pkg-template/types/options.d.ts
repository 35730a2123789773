// What the functions of the package take: inputs, and options.

import type { Client } from "./client.js";
import type { Progress } from "./progress.js";

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
