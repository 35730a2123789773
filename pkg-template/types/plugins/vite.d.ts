// filepress/vite: a plug-in of Vite that compresses images when the application is built.

import type { Plugin } from "vite";
import type { PicturePreset } from "./picture-preset.js";

export * from "./picture-preset.js";

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
 * An image is encoded again only if its bytes, its file name, the options, the bytes of an overlay or the version of the package change. A build ends with a table of the images.
 */
export function filepress(options?: FilepressViteOptions): Plugin;

/** The same as {@link filepress}. */
export default filepress;
