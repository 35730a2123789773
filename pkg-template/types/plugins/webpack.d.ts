// filepress/webpack: a loader of webpack that compresses images when the application is built.

import type { PicturePreset } from "./picture-preset.js";

export * from "./picture-preset.js";

/** Options of the loader. Options of {@link PicturePreset} are the defaults of all presets. */
export interface FilepressWebpackOptions extends PicturePreset {
  /**
   * Presets by name. An import with the name in its query, `"./photo.jpg?hero"`, uses the preset. The preset `picture` always exists, and is
   * used without a name.
   */
  presets?: Record<string, PicturePreset> | undefined;
  /** Folder for the results of earlier builds, relative to webpack's context. Default `"node_modules/.cache/filepress"`. */
  cacheDir?: string | undefined;
}

/** Tells webpack to pass the bytes of the image to the loader. */
export declare const raw: true;

/**
 * Turns each image that a rule of webpack's configuration passes to this loader into the files of a `<picture>` element. The value of the
 * import is a {@link Picture}. Parameters in the query override the preset: `"./photo.jpg?widths=400;800&formats=webp;jpeg&quality=60"`.
 *
 * An image is encoded again only if its bytes, its file name, the options, the bytes of an overlay or the version of the package change.
 */
export default function load(this: object, input: Uint8Array): Promise<string>;
