// What the functions of the package resolve to.

import type { Bytes } from "./progress.js";
import type { Task } from "./resources.js";

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
