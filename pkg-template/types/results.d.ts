// The results of the package's functions.

import type { ImageType } from "./options.js";
import type { Bytes } from "./progress.js";
import type { Task } from "./resources.js";

/** Result of `compress` and `convert`. */
export interface Result {
  /** The output. Its `type` is set. */
  blob: Blob;
  /** The output as a file with `name`, `type` and the input's `lastModified`, or the current time if the input has none. */
  file: File;
  /** Returns the output's bytes. Each call returns a new copy. */
  bytes(): Promise<Bytes>;
  /**
   * Media type of the output: that of `to`; without `to`, that of the input, or PNG for pixels. Pixels that a {@link Decoder} returns become a
   * JPEG, or a WebP if any pixel is transparent.
   */
  type: ImageType;
  /**
   * File name for the output: the option `name`, or otherwise the input's name, with the extension of `type`. In the input's name, characters
   * that file systems refuse are replaced by `_`. The input's name is that of a `File`, or the last segment of the URL of a `Response` or of a
   * `file:` URL; otherwise it is `"image"`.
   */
  name: string;
  /** Width of the output in pixels. */
  width: number;
  /** Height of the output in pixels. */
  height: number;
  /** Quality that was used. Absent if the encoding has no quality, or if the original was kept. */
  quality?: number;
  /**
   * SSIMULACRA2 score of the output; of an animation, that of its first frame. Only with `quality: "auto"`; absent if the original was kept. 100:
   * identical. 90: differences are hard to see. 70: high quality. 50: medium quality.
   */
  score?: number;
  /** Media type of the input, detected from its bytes. */
  inputType: string;
  /** Width of the upright input in pixels. */
  inputWidth: number;
  /** Height of the upright input in pixels. */
  inputHeight: number;
  /** Size of the input in bytes. */
  inputSize: number;
  /** Size of the output in bytes. */
  outputSize: number;
  /** The work was done on this device. */
  engine: "local";
  /**
   * Whether the output contains the unchanged image data of the original. This is the case only if the format, the geometry and the number of
   * frames stay the same, there is no `overlay`, and one of these is true:
   *
   * - Re-encoding would not have made the file smaller. A lossy encoding counts as smaller only if it saves at least 1 %.
   * - The original fits `targetSize`.
   * - The original is an animated AVIF, or an animated PNG of the kinds listed at `animation`, and keeps its encoded frames (`animation_kept`).
   * - The original is an animated GIF, and encoding it again would reduce its colors, although neither `colors`, `targetSize` nor a `quality`
   *   below 100 is given.
   * - The original is a DDS with several surfaces, such as mipmaps, and is not encoded with a `quality`.
   *
   * `metadata` applies to a kept original too.
   */
  keptOriginal: boolean;
  /** What was lost, or done differently than asked. Often empty. */
  warnings: Warning[];
}

/** Result of `compress` and `convert` when the server did the work. */
export interface RemoteResult {
  /** The output. Its `type` is set. */
  blob: Blob;
  /** See {@link Result.file}. */
  file: File;
  /** Returns the output's bytes. Each call returns a new copy. */
  bytes(): Promise<Bytes>;
  /** Media type of the output as the server reports it, if `formats` lists that type; otherwise the requested type. */
  type: string;
  /** File name for the output, see {@link Result.name}. If the input has no name, it is `"file"` with an extension. */
  name: string;
  /** Width of the output in pixels, if the output has a width and the server reports it. */
  width?: number;
  /** Height of the output in pixels, if the output has a height and the server reports it. */
  height?: number;
  /** Duration of the output in seconds, if the output has a duration and the server reports it. */
  duration?: number;
  /** Number of pages of the output, if the output has pages and the server reports their number. */
  pages?: number;
  /** Media type of the input, detected from its bytes. */
  inputType: string;
  /** Size of the input in bytes. */
  inputSize: number;
  /** Size of the output in bytes. */
  outputSize: number;
  /** The work was done by the server. */
  engine: "remote";
  /** Whether the output is the original, because the result was not smaller or because the original fits `targetSize`. */
  keptOriginal: boolean;
  /** What was lost, or done differently than asked, on the device and by the server. A server may use other codes. */
  warnings: (Warning | { code: string; message: string })[];
  /** The finished task. */
  task: Task;
}

/** Result with `as: "stream"`. It has a stream instead of `blob`, `file` and `bytes`. */
export type StreamResult = (Omit<Result, "blob" | "file" | "bytes"> | Omit<RemoteResult, "blob" | "file" | "bytes">) & {
  /** The output's bytes. Can be read once. */
  stream: ReadableStream<Bytes>;
};

/** Something that was lost, or done differently than asked. */
export interface Warning {
  /** Stable code. */
  code: WarningCode;
  /** Description in English. */
  message: string;
}

/**
 * Codes of warnings.
 *
 * - `animation_dropped`: the input is animated; the output is its first frame.
 * - `animation_kept`: the input is animated and keeps its encoded frames.
 * - `alpha_flattened`: transparent pixels were blended with `background`; in a GIF, partly transparent pixels became opaque or fully
 *   transparent.
 * - `metadata_dropped`: the output lacks metadata that `metadata: "keep"` should keep, for example because a {@link Decoder} read the input. Or,
 *   with `"safe"`, a server removed metadata, author and copyright included: see `CompressOptions.metadata`.
 * - `colors_reduced`: the output has fewer colors than the input.
 * - `depth_reduced`: the input has more than 8 bits per channel, but the lossless output has 8 (WebP, AVIF, BMP, TGA, QOI, ICO; of a JPEG with
 *   12 bits, every format). Or the server reduced the bit depth of video or audio.
 * - `color_converted`: the output cannot carry the color profile; the pixels were converted to sRGB.
 * - `gain_map_dropped`: the input has an HDR gain map (Ultra HDR, ISO 21496-1, Apple); the output is the standard (SDR) image. With
 *   `hdr: "keep"`, the message says why the map could not be kept.
 * - `larger_than_input`: the output has the format of the input but more bytes. This is possible if the geometry or the number of frames
 *   changes, or with an overlay, for example if a strongly compressed JPEG is rotated.
 * - `resized_to_fit`: the image was downsized to fit `targetSize` or the maximum size of the format (ICO: 256 × 256).
 * - `pages_dropped`: the input has several pages; the output is the first.
 * - `tone_mapped`: the input is HDR; highlights brighter than white were compressed into the range of the output.
 * - `light_clipped`: negative values became black, because the output cannot hold them (Radiance HDR).
 * - `score_unreached`: no quality reaches `minScore`; the output has the highest score that was found.
 * - `option_ignored`: `quality`, `minScore`, `colors`, `dither` or `chroma` does not apply to this output; `resize`, `crop`, `rotate`, `flip` or
 *   `overlay` does not apply to an SVG output; or the server does not have the option for this conversion.
 * - `over_local_limit`: the image exceeds a limit of this device and was sent to the server.
 * - `turned_by_exif`: `rotate` or `flip` of a `lossless` JPEG is stored as EXIF orientation, because incomplete blocks at its right or lower
 *   edge would move.
 * - `worker_unavailable`: no worker could be started; the work ran on the calling thread and blocked it. The message says what to change.
 */
export type WarningCode =
  | "animation_dropped"
  | "animation_kept"
  | "alpha_flattened"
  | "metadata_dropped"
  | "colors_reduced"
  | "depth_reduced"
  | "color_converted"
  | "gain_map_dropped"
  | "larger_than_input"
  | "resized_to_fit"
  | "pages_dropped"
  | "tone_mapped"
  | "light_clipped"
  | "score_unreached"
  | "option_ignored"
  | "over_local_limit"
  | "turned_by_exif"
  | "worker_unavailable";

/** One output of `variants`. */
export interface VariantResult extends Result {
  /** Index of the entry of this output. */
  index: number;
}

/** Attributes of a `<picture>` element for outputs of `variants`. */
export interface PictureSources {
  /** One `<source>` for each format except the fallback, in the order of the entries. */
  sources: { type: string; srcset: string }[];
  /** Attributes of the `<img>`, which is the fallback. It has the format of the last entry. `src` is the largest file of this format. */
  img: { src: string; srcset: string; width: number; height: number };
}

/** Result of `placeholder`. */
export interface Placeholder {
  /** Width in pixels of the upright image, after `crop` and `rotate`. */
  width: number;
  /** Height in pixels of the upright image, after `crop` and `rotate`. */
  height: number;
  /** Whether any pixel is transparent, at least in part. */
  hasAlpha: boolean;
  /** [ThumbHash](https://evanw.github.io/thumbhash/): at most 37 bytes, which include transparency and the aspect ratio. */
  thumbhash: Bytes;
  /** [BlurHash](https://blurha.sh): 4 × 3 components, or 3 × 4 if the image is taller than wide. Transparent pixels count as white. */
  blurhash: string;
  /** The most frequent color as `"#rrggbb"`. */
  dominant: string;
  /** Up to six colors as `"#rrggbb"`, the most frequent first. */
  palette: string[];
}

/** Result of `inspect`. */
export interface Inspection {
  /** Media type, detected from the bytes. */
  type: string;
  /** Width in pixels, with the EXIF orientation applied. */
  width: number;
  /** Height in pixels, with the EXIF orientation applied. */
  height: number;
  /** Number of frames of an animation, or of pages. 1 for an ICO, which contains several sizes of one icon. */
  frames: number;
  /** Whether the file has an alpha channel or a transparent color. The image may still be fully opaque. */
  hasAlpha: boolean;
  /** Bits per channel. */
  bitDepth: number;
  /** Color model of the stored pixels. */
  colorSpace: "gray" | "rgb" | "ycbcr" | "cmyk";
  /** EXIF orientation, 1 to 8. 1 is upright. */
  orientation: number;
  /** Whether the file contains an ICC color profile. */
  hasIccProfile: boolean;
  /** Whether the image is an animation. A file with several pages is not an animation. */
  isAnimated: boolean;
  /** Whether the file contains an HDR gain map (Ultra HDR, Apple, ISO 21496-1). */
  hasGainMap: boolean;
  /** Whether EXIF or XMP contains a location. */
  hasGps: boolean;
  /**
   * An estimate of the quality at which a JPEG was encoded, 1 to 100, from its quantization tables. If these are not the standard tables, the
   * estimate is the quality whose standard tables are closest. Absent for other formats.
   */
  quality?: number;
  /**
   * The smallest build that supports the format: `core`, `full` or `jxl`; `null` if no build supports it. The builds `photo` (only JPEG to JPEG or lossy
   * WebP), `photo_avif` and `avif` (only to AVIF) are never named. Some files and calls need `full` in any case, see {@link Sources.full}.
   */
  build: "core" | "full" | "jxl" | null;
}

/** Result of `score`. */
export interface Score {
  /**
   * SSIMULACRA2 score, rounded down to thousandths. 100: identical. 90: differences are hard to see. 70: high quality. 50: medium quality.
   * Below 0: little in common. The metric compares the images at six scales. For images smaller than 32 pixels a side, most scales are
   * missing, and the score is not reliable.
   */
  score: number;
  /** Width in pixels at which the images were compared: the width of the upright `other`. */
  width: number;
  /** Height in pixels at which the images were compared: the height of the upright `other`. */
  height: number;
  /** Whether the original was resized for the comparison. */
  resized: boolean;
  /** `animation_dropped` or `pages_dropped` if only the first frame or page of a file was compared; `worker_unavailable`. Often empty. */
  warnings: Warning[];
}

/**
 * A file format, and what this version can do with it on this device. For HEIC, JPEG XL, video, audio and PDF, all members from `quality` to
 * `vector` are `false`, `metadata` is empty and `maxSide` is `null`.
 *
 * In `filepress/web` and `filepress/avif`, `autoQuality` and `transcode` are always `false`, and the formats of the `full` build have `read` and
 * `write` `false`, `engine` `"remote"` and `build` `null`, except that `filepress/avif` writes AVIF. JPEG XL is not listed. All other members are the same as in
 * `filepress`.
 */
export interface Format {
  /** Media type, for example `"image/jpeg"`. */
  type: string;
  /** Display name, for example `"JPEG"`. */
  name: string;
  /** File extensions without a dot, the most common first. */
  extensions: string[];
  /** Kind of content. */
  class: "image" | "video" | "audio" | "document";
  /** Whether the builds of the package can read the format. `false` for HEIC, even if a decoder or the browser reads it. */
  read: boolean;
  /** Whether the builds of the package can write the format. */
  write: boolean;
  /** `"local"`: a build handles the format. `"remote"`: no build does, but a server can, see {@link RemoteOptions.client}. */
  engine: "local" | "remote";
  /**
   * Build that handles the format, see {@link Inspection.build}; `null` if no build of this package handles it. `avif` in `filepress/avif`, which
   * writes AVIF, and does not read it.
   */
  build: "avif" | "core" | "full" | "jxl" | null;
  /** Whether the format has a lossy encoding, which `quality` controls. If not, every encoding is lossless. */
  quality: boolean;
  /** Whether `quality: "auto"` applies. */
  autoQuality: boolean;
  /** Whether `lossless: true` selects a lossless encoding instead of a lossy one. */
  lossless: boolean;
  /** Whether `lossless: true` rewrites an input of the same format without decoding its pixels (JPEG). */
  transcode: boolean;
  /** Whether `effort` applies. */
  effort: boolean;
  /** Whether `colors` and `dither` apply. */
  colors: boolean;
  /** Whether `chroma` applies. */
  chroma: boolean;
  /** Whether outputs keep transparency. GIF keeps one bit of alpha. */
  alpha: boolean;
  /** Whether animations are written. */
  animation: boolean;
  /** Whether documents of several pages are read and written. */
  pages: boolean;
  /** Whether this is a vector format. A vector format is only written from an input of the same format. */
  vector: boolean;
  /** Metadata that an output can carry. */
  metadata: ("icc" | "exif" | "xmp" | "iptc")[];
  /** Longest side of an output in pixels. */
  maxSide: number | null;
}
