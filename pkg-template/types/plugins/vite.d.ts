// filepress/vite: a plug-in of Vite that makes images smaller when the application is built.

import type { Plugin } from "vite";
import type { CompressOptions, OutputType } from "../../index.js";

/** An image in several widths and formats, for the markup of a `<picture>` element. */
export interface Picture {
  /** For `<source>` elements, in the order of the preset's formats, without the fallback. */
  sources: {
    /** Media type. */
    type: string;
    /** Addresses with their widths: `"/assets/photo-480.avif 480w, …"`. */
    srcset: string;
  }[];
  /** For the `<img>` element: the fallback, which is the last format of the preset. */
  img: {
    /** Address of the widest file. */
    src: string;
    /** Addresses with their widths. */
    srcset: string;
    /** Width of the widest file in pixels. */
    width: number;
    /** Height of the widest file in pixels. */
    height: number;
  };
}

/** Options of `compress` that apply to every file of a picture. */
export type PictureSettings = Omit<CompressOptions, "to" | "as" | "name" | "signal" | "onProgress" | "engine" | "settings" | "keepRemote" | "fonts">;

/** How an image is converted: `widths`, `formats`, and options of `compress` that apply to all files. */
export interface PicturePreset extends PictureSettings {
  /** Widths in pixels. Widths above the width of the image become the width of the image. Default `[480, 960, 1440, 1920]`. */
  widths?: readonly number[] | undefined;
  /**
   * Formats, the preferred one first; the last is the fallback. `"original"` is the format of the image. An object has further options
   * for its format: `{ to: "avif", quality: 50 }`. Default `["avif", "webp", "original"]`.
   */
  formats?: readonly (OutputType | "original" | (PictureSettings & { to: OutputType | "original" }))[] | undefined;
}

/** Options of {@link filepress}. Options of {@link PicturePreset} are the defaults of all presets. */
export interface FilepressViteOptions extends PicturePreset {
  /** Presets by name. An import with the name in its query, `"./photo.jpg?hero"`, uses the preset. The preset `picture` always exists. */
  presets?: Record<string, PicturePreset> | undefined;
  /**
   * Glob patterns, relative to Vite's root. An import without a query uses the preset `picture` if the image matches a pattern. Default: none.
   */
  include?: string | readonly string[] | undefined;
  /** Folder for the results of earlier builds, relative to Vite's root. Default `"node_modules/.cache/filepress"`. */
  cacheDir?: string | undefined;
}

/**
 * Turns images that are imported as `"./photo.jpg?picture"`, or with the name of a preset, into the files of a `<picture>` element. The
 * value of the import is a {@link Picture}. Parameters in the query override the preset:
 * `"./photo.jpg?widths=400;800&formats=webp;jpeg&quality=60&picture"`.
 *
 * An image is encoded again only if its bytes, the options or the version of the package change. A build ends with a table of the images.
 */
export function filepress(options?: FilepressViteOptions): Plugin;

/** The same as {@link filepress}. */
export default filepress;
