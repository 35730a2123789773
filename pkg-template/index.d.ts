// The public interface of filepress. It uses the DOM's types (Blob, Response, AbortSignal, WebAssembly) and no others.

import type { DecodedPixels, Input } from "./types/inputs.js";
import type {
  CompressAllOptions,
  CompressOptions,
  ConvertOptions,
  DecodeOptions,
  InspectOptions,
  OutputType,
  PlaceholderOptions,
  RemoteOptions,
  ScoreOptions,
  StreamOptions,
  Variant,
  VariantsOptions,
} from "./types/options.js";
import type {
  Format,
  Inspection,
  PictureSources,
  Placeholder,
  RemoteResult,
  Result,
  Score,
  StreamResult,
  VariantResult,
} from "./types/results.js";
import type { Bytes } from "./types/progress.js";
import type { InitOptions, Source, Sources } from "./types/sources.js";

export * from "./types/client.js";
export * from "./types/errors.js";
export * from "./types/inputs.js";
export * from "./types/options.js";
export * from "./types/progress.js";
export * from "./types/resources.js";
export * from "./types/results.js";
export * from "./types/sources.js";

/**
 * Compresses a file, or converts it to the format named by `to`.
 *
 * Images are processed on the device. Video, audio and PDF are sent to the server of {@link RemoteOptions.client}. If there is a
 * client, an image that exceeds a limit of the device is sent there too.
 *
 * If a call changes neither the format nor the geometry (`crop`, `rotate`, `flip`, `resize`) nor the number of frames, and has no `overlay`, the
 * result is never larger than the input: see {@link Result.keptOriginal}. The exception is TIFF: removing metadata can add one byte of alignment
 * per field.
 *
 * EXIF orientation is applied when an image is re-encoded. Colors look the same: if the output format can store a color profile, the profile is
 * kept; otherwise the pixels are converted to sRGB.
 *
 * Work runs in a pool of workers. The pool has at most 8 workers, and at most one per processor core. In Node, it also has at most one worker
 * per 512 MiB of memory. A call is queued while all workers are busy, or while it and the running calls together would exceed the memory
 * budget. A call that exceeds the budget by itself runs when no other call runs. In browsers, the budget is a quarter of
 * `navigator.deviceMemory`. If the browser does not report that value, the budget is 512 MiB on devices with a touch screen and 1 GiB on
 * others. In Node, the budget is half of the memory of the machine or container.
 *
 * Cloudflare Workers and service workers cannot start workers, so the work runs on the calling thread there. In other environments, the
 * work runs on the calling thread if no worker can be started. The result then has the warning `worker_unavailable`.
 *
 * Rejects with a subclass of `FilepressError`, or with the reason of an aborted `signal`. Never throws synchronously.
 *
 * @example
 * const { blob, inputSize, outputSize } = await compress(file, { quality: 80, resize: { maxWidth: 1600 } });
 *
 * const client = new Client({ baseUrl: "https://your-proxy.example.com" });
 * const small = await compress(movie, { client });
 */
export function compress(input: Input, options: Omit<CompressOptions, "as" | "to"> & StreamOptions): Promise<StreamResult>;
/** With a client, the work is done on the device or by the server: {@link Result.engine} says where. */
export function compress(input: Input, options: Omit<CompressOptions, "to"> & RemoteOptions): Promise<Result | RemoteResult>;
/** Without a client, the work is done on the device. */
export function compress(input: Input, options?: CompressOptions): Promise<Result>;

/**
 * Converts a file to another format: the same as {@link compress} with `to`. The result may be larger than the input.
 *
 * @param to Media type or file extension of the output. For the errors of wrong values, see {@link CompressOptions.to}.
 * @example
 * const { blob, name } = await convert(file, "image/webp", { quality: 75 });
 */
export function convert(
  input: Input,
  to: OutputType | (string & {}),
  options: Omit<ConvertOptions, "as"> & Omit<StreamOptions, "to">,
): Promise<StreamResult>;
/** With a client, the work is done on the device or by the server: {@link Result.engine} says where. */
export function convert(
  input: Input,
  to: OutputType | (string & {}),
  options: ConvertOptions & Omit<RemoteOptions, "to">,
): Promise<Result | RemoteResult>;
/** Without a client, the work is done on the device. */
export function convert(input: Input, to: OutputType, options?: ConvertOptions): Promise<Result>;

/**
 * Calls {@link compress} for several files. At most 8 files are read and queued at a time; the others are not read before their turn.
 *
 * Resolves to one outcome for each input, in the order of the inputs and in the form of `Promise.allSettled`. If a file fails, the others are
 * still processed.
 *
 * Rejects with `unreadable_input` if `inputs` is not iterable, and with the reason of an aborted `signal`. Rejects with `invalid_option` in
 * these cases:
 *
 * - `options` is not a plain object, or has a `name`.
 * - `signal`, `onProgress`, `client`, `as`, `keepRemote` or `settings` has a wrong value.
 * - `engine` is not a string.
 *
 * Any other wrong or unknown option gives every outcome the status `"rejected"`.
 *
 * @example
 * for (const outcome of await compressAll(input.files, { to: "webp" })) {
 *   if (outcome.status === "fulfilled") form.append("photos", outcome.value.file);
 * }
 */
export function compressAll(
  inputs: Iterable<Input>,
  options: Omit<CompressAllOptions, "to"> & RemoteOptions,
): Promise<PromiseSettledResult<Result | RemoteResult>[]>;
/** Without a client, the work is done on the device. */
export function compressAll(inputs: Iterable<Input>, options?: CompressAllOptions): Promise<PromiseSettledResult<Result>[]>;

/**
 * Converts one image to several outputs, such as sizes, formats or crops. For each entry, the bytes are the same as those of {@link compress}.
 *
 * The entries are divided among the workers. Within a worker, outputs share the decoded image if they have the same `crop`, are decoded at the
 * same scale, and treat the color profile in the same way. A JPEG is decoded at a scale of 1, 1/2, 1/4 or 1/8, other formats always at full
 * size. An output shares nothing in these cases:
 *
 * - The input is an SVG, or the output is animated or has several pages.
 * - The output keeps the format and geometry of the input.
 * - The output does not require decoding, or is encoded while the input is decoded, a few rows at a time, to save memory.
 * - Sharing would exceed `maxMemoryBytes`, or take more than 24 MiB and a fifth more than the largest output takes by itself.
 *
 * Yields each output as soon as it is finished; smaller images usually come first. `index` is the index of the entry. Without a `name`, a file is
 * named after the input and the width of the output: `photo-400.avif`. Work begins when the first output is requested, and ends when the loop
 * ends.
 *
 * Works on the device only: inputs and outputs are images, and `client` is refused (`invalid_option`). Rejects with the same errors as
 * {@link compress}. Their `details.variant` is the index of the entry that failed. Outputs that were not yet yielded are lost.
 *
 * @param entries Options of each output. They take precedence over `options`.
 * @example
 * const widths = [400, 800, 1600];
 * const entries = ["avif", "webp", "jpeg"].flatMap((to) => widths.map((width) => ({ to, resize: { maxWidth: width } })));
 * for await (const { name, blob } of variants(file, entries)) await upload(name, blob);
 */
export function variants(
  input: Input,
  entries: readonly Variant[],
  options: Omit<VariantsOptions, "as"> & { as: "stream" },
): AsyncGenerator<Omit<VariantResult, "blob" | "file" | "bytes"> & { stream: ReadableStream<Bytes> }, void, undefined>;
/** Each output has a `blob` and a `file`. */
export function variants(
  input: Input,
  entries: readonly Variant[],
  options?: VariantsOptions,
): AsyncGenerator<VariantResult, void, undefined>;

/**
 * Returns the attributes of a `<picture>` element for outputs of {@link variants}, which can be in any order. Throws `invalid_option` if
 * `outputs` is empty, or contains anything that is not a result. Pass only outputs of `variants`: their `index` gives the order.
 *
 * @param url Returns the URL of an output. Default: its `name`.
 * @example
 * const outputs = [];
 * for await (const output of variants(file, entries)) outputs.push(output);
 * const { sources, img } = pictureSources(outputs, ({ name }) => `/images/${name}`);
 */
export function pictureSources<Output extends Pick<VariantResult, "index" | "type" | "width" | "height" | "name">>(
  outputs: Iterable<Output>,
  url?: (output: Output) => string,
): PictureSources;

/**
 * Returns what a page can show before an image is loaded: a ThumbHash, a BlurHash and colors. A large JPEG is decoded at a reduced
 * size. Of an animation, the first frame is used. A color profile is not applied.
 *
 * Rejects with the same errors as {@link compress}, and with `needs_service` for video, audio and PDF.
 *
 * @example
 * const { blurhash, dominant } = await placeholder(file);
 */
export function placeholder(input: Input, options?: PlaceholderOptions): Promise<Placeholder>;

/**
 * Decodes an image to upright pixels in sRGB, with 8 bits per channel. For animations, the first frame is decoded; for multi-page
 * files, the first page.
 *
 * Needs 12 bytes of memory per pixel, in addition to the memory for decoding. Rejects with the same errors as {@link compress}, and
 * with `needs_service` for video, audio and PDF.
 *
 * @example
 * const { data, width, height } = await decode(file, { resize: { maxWidth: 300 } });
 * context.putImageData(new ImageData(data, width, height), 0, 0);
 */
export function decode(input: Input, options?: DecodeOptions): Promise<DecodedPixels>;

/**
 * Reads an image's properties from its header. Pixels are decoded only if no build reads the format, but a decoder does (see
 * {@link InitOptions.decoders}). The properties except `type` are then those of what the decoder returned.
 *
 * A truncated file is enough if it contains the header (AVIF: the `meta` box). TIFF, ICO, SVG and JPEG XL files must be complete. `frames` counts only
 * the frames that are present.
 *
 * Rejects with the same errors as {@link compress}, and with `needs_service` for video, audio and PDF.
 */
export function inspect(input: Input, options?: InspectOptions): Promise<Inspection>;

/**
 * Measures the visual difference between an image and its original with SSIMULACRA2.
 *
 * Both images are decoded, turned upright and converted to sRGB. If `other` has a different size, the original is first resized to that size,
 * so that the score measures only the encoding. For animations, the first frame is compared, with the warning `animation_dropped`; for
 * multi-page files, the first page, with the warning `pages_dropped`. An SVG as `original` is rendered at the size of `other`. An SVG as
 * `other` is rendered at its own size. The call uses the `full` build.
 *
 * Rejects with the same errors as {@link compress}, with `sizes_differ` if the aspect ratios differ, and with `needs_service` for
 * video, audio and PDF.
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
 * Sets where the package loads its worker scripts and WebAssembly from, whether it uses workers, how long it keeps idle workers, and which
 * decoders it uses. `init` can be called again: each call changes only the options that it names. You need not await `init`: later calls wait
 * until it has ended. Builds and workers that are already running are not replaced.
 *
 * Resolves when every given source is compiled. Rejects in these cases:
 *
 * - An option is unknown (`unknown_option`), or `workers`, `worker`, `idle` or `decoders` has a wrong value (`invalid_option`). In this case nothing
 *   changes.
 * - A source has a wrong type, is not a build of this package, or was given under the name of another build (`invalid_option`), or is a build
 *   that `filepress/web` or `filepress/avif` does not have (`not_in_build`), or it cannot be loaded (`engine_load`). In this case the previous source stays in use, also for calls made in the meantime. The other options
 *   take effect.
 *
 * @param options The options to set, or a value of {@link InitOptions.wasm}.
 * @example
 * init({ workers: "/filepress/" }); // cp -r node_modules/filepress public/
 */
export function init(options: InitOptions | Source | Sources): Promise<void>;

/**
 * Loads the builds that the first calls for files of these types usually need, and starts one worker for each build, so that these calls
 * do not have to wait. If there are no workers, the builds are started on the calling thread.
 *
 * A build is one of the package's seven WebAssembly files, see {@link Sources}. For `"image/jpeg"`, the build is `photo`; for `"image/avif"`, it
 * is `photo_avif`, which makes AVIF of JPEG, or `avif` if there are types besides these two; neither reads AVIF. For other images, WebP included, it
 * is the build that {@link Format.build} names: for `"image/jxl"`, only the one that reads it. If `core` is loaded, `photo` is not; if `full` is
 * loaded, `photo_avif` and `avif` are not. For video, audio and PDF, only the build `client` is loaded, which every call needs.
 *
 * Resolves when the workers have started. Rejects with `invalid_option` if `types` is not an array or contains an unknown format, and
 * with `engine_load` if a build cannot be loaded.
 *
 * @param types Media types or file extensions.
 * @example
 * input.addEventListener("focus", () => preload(["image/jpeg"]));
 */
export function preload(types: readonly (OutputType | (string & {}))[]): Promise<void>;
