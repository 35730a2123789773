// The `<picture>` elements and presets of the plug-ins for bundlers.

import type { CompressOptions, OutputType } from "../../index.js";

/** An image in several widths and formats, for the markup of a `<picture>` element. */
export interface Picture {
  /** For `<source>` elements, in the order of the preset's formats, without the fallback. */
  sources: {
    /** Media type. */
    type: string;
    /** URLs with their widths: `"/assets/photo-480.avif 480w, …"`. */
    srcset: string;
  }[];
  /** For the `<img>` element: the fallback, which is the last format of the preset. */
  img: {
    /** URL of the widest file. */
    src: string;
    /** URLs with their widths. */
    srcset: string;
    /** Width of the widest file in pixels. */
    width: number;
    /** Height of the widest file in pixels. */
    height: number;
  };
}

/**
 * Options of `compress` that apply to every file of a `<picture>` element. The `image` of an `overlay` is bytes, a `Blob` or a `URL` with
 * `file:`, otherwise `invalid_option`.
 */
export type PictureSettings = Omit<CompressOptions, "to" | "as" | "name" | "signal" | "onProgress" | "engine" | "settings" | "keepRemote" | "fonts">;

/** How an image is converted: `widths`, `formats`, and options of `compress` that apply to all files. */
export interface PicturePreset extends PictureSettings {
  /** Widths in pixels. A width larger than that of the image, after `crop` and `rotate`, becomes the width of the image. Default `[480, 960, 1440, 1920]`. */
  widths?: readonly number[] | undefined;
  /**
   * Formats, the preferred one first; the last is the fallback. `"original"` is the format of the image. An object adds options
   * for its format: `{ to: "avif", quality: 50 }`. Default `["avif", "webp", "original"]`.
   */
  formats?: readonly (OutputType | "original" | (PictureSettings & { to: OutputType | "original" }))[] | undefined;
}
