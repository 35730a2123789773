// The public interface of filepress. It needs the DOM's types (Blob, Response, AbortSignal, WebAssembly) and nothing else.

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
