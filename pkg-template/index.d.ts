// The public interface of filepress. It uses the DOM's types (Blob, Response, AbortSignal, WebAssembly) and no others.

import type { CompressOptions, ConvertOptions, Input, InspectOptions, OutputType, RemoteOptions, ScoreOptions, StreamOptions } from "./types/options.js";
import type { Format, Inspection, RemoteResult, Result, Score, StreamResult } from "./types/results.js";
import type { Source, Sources } from "./types/sources.js";

export * from "./types/client.js";
export * from "./types/errors.js";
export * from "./types/options.js";
export * from "./types/progress.js";
export * from "./types/resources.js";
export * from "./types/results.js";
export * from "./types/sources.js";

/**
 * Makes a file smaller, or converts it to the format named by `to`.
 *
 * Images are processed on the device. Video, audio and PDF are sent to the service of {@link RemoteOptions.client}; so is an image
 * that exceeds a limit of the device, if there is a client.
 *
 * Without `to`, `quality` and `resize`, the result is never larger than the input: see {@link Result.keptOriginal}. The exception is
 * a TIFF: removing its metadata can add up to one byte of alignment per strip or tile.
 *
 * EXIF orientation is applied when an image is re-encoded. Colors do not shift: the ICC profile is kept if the output can carry it;
 * otherwise the pixels are converted to sRGB.
 *
 * Work runs in a pool of workers, at most one per processor core and at most 8; in Node also at most one per 512 MiB of memory. Calls
 * are queued while all workers are busy, or while their estimated memory exceeds a quarter of the device's memory
 * (`navigator.deviceMemory`, or 4 GiB if unknown), in Node half of it. Where there are no workers (Cloudflare Workers, service
 * workers), the work runs on the calling thread.
 *
 * Rejects with a subclass of `FilepressError`, or with the reason of an aborted `signal`. Never throws synchronously.
 *
 * @example
 * const { blob, inputSize, outputSize } = await compress(file, { quality: 80, resize: { maxWidth: 1600 } });
 *
 * const client = new Client({ baseUrl: "https://files.example.com", getToken });
 * const small = await compress(movie, { client });
 */
export function compress(input: Input, options: Omit<CompressOptions, "as"> & StreamOptions): Promise<StreamResult>;
/** With a client, the work is done on the device or by the service: {@link Result.engine} says which. */
export function compress(input: Input, options: CompressOptions & RemoteOptions): Promise<Result | RemoteResult>;
/** Without a client, the work is done on the device. */
export function compress(input: Input, options?: CompressOptions): Promise<Result>;

/**
 * Converts a file to another format. The same as {@link compress} with `to`. The result may be larger than the input.
 *
 * @param to Media type or file extension of the output. Rejects with `unsupported_output` if this version cannot write it.
 * @example
 * const { blob, name } = await convert(file, "image/webp", { quality: 75 });
 */
export function convert(
  input: Input,
  to: OutputType | (string & {}),
  options: Omit<ConvertOptions, "as"> & StreamOptions,
): Promise<StreamResult>;
/** With a client, the work is done on the device or by the service: {@link Result.engine} says which. */
export function convert(
  input: Input,
  to: OutputType | (string & {}),
  options: ConvertOptions & RemoteOptions,
): Promise<Result | RemoteResult>;
/** Without a client, the work is done on the device. */
export function convert(input: Input, to: OutputType | (string & {}), options?: ConvertOptions): Promise<Result>;

/**
 * Reads an image's properties from its header. No pixel is decoded.
 *
 * The input may be cut off after the header; in an AVIF, after the `meta` box. TIFF and ICO files must be complete. `frames` counts
 * the frames that are present.
 *
 * Rejects as {@link compress} does; with `needs_service` for video, audio and PDF.
 */
export function inspect(input: Input, options?: InspectOptions): Promise<Inspection>;

/**
 * Measures the visual difference between an image and its original, by SSIMULACRA2.
 *
 * Both are decoded, turned upright and converted to sRGB. If `other` has a different size, the original is first resized to it, so
 * that the score measures the encoding alone. Of an animation the first frame is compared, of a multi-page file the first page,
 * each with a warning. An SVG is rendered at its own size or at that of `other`. Uses the `full` build.
 *
 * Rejects as {@link compress} does; with `sizes_differ` if the aspect ratios differ, and with `needs_service` for video, audio and
 * PDF.
 *
 * @example
 * const { blob } = await compress(file, { quality: 60 });
 * const result = await score(file, blob);
 * console.log(result.score); // 90 or more: hard to tell apart
 */
export function score(original: Input, other: Input, options?: ScoreOptions): Promise<Score>;

/** Lists all formats that filepress knows, and what this version can do with each. Rejects only with `engine_load`. */
export function formats(): Promise<Format[]>;

/**
 * Sets where the WebAssembly comes from. Only needed when a bundler does not understand `new URL("./wasm/…", import.meta.url)`, or
 * when everything has to be in one file.
 *
 * Call it before any other function. It need not be awaited: later calls wait for it. Builds that are already running are not
 * replaced.
 *
 * Resolves when every given source is compiled. Rejects with `invalid_option` for a value that is not a source, not a module of this
 * package, or not the build that it is named as; with `unknown_option` for an unknown build name; and with `engine_load` if a source
 * cannot be loaded. After a rejection the previous sources are used again, also by calls that were made in the meantime.
 *
 * @param source One build for everything (`core` or `full`), or several by name. With `client` or `photo` alone, the package still
 * loads the others itself. The files are `filepress/wasm/{client,photo,core,full}/filepress_bg.wasm`.
 */
export function init(source: Source | Sources): Promise<void>;
