// filepress/next/config: settings of Next.js for imported images and for route handlers.

import type { PicturePreset } from "./picture-preset.js";

export * from "./picture-preset.js";

/**
 * Options of {@link withFilepress}. Options of {@link PicturePreset} are the defaults of all presets. With Turbopack, they have to be values that
 * JSON can represent, so an `overlay` is not possible.
 */
export interface FilepressNextOptions extends PicturePreset {
  /** Presets by name. An import with the name in its query, `"./photo.jpg?hero"`, uses the preset. The preset `picture` always exists. */
  presets?: Record<string, PicturePreset> | undefined;
  /** Folder for the results of earlier builds, relative to the project. Default `"node_modules/.cache/filepress"`. */
  cacheDir?: string | undefined;
}

/**
 * Returns the configuration with settings for webpack and Turbopack: images that are imported as `"./photo.jpg?picture"`, or with the name of a
 * preset, become the files of a `<picture>` element. The value of the import is a {@link Picture}. Other imports stay as they are.
 *
 * With `next build --webpack`, these settings also do what `serverExternalPackages: ["filepress"]` does for route handlers. Do not use both.
 *
 * @example
 * export default withFilepress({ reactStrictMode: true }, { presets: { hero: { widths: [400, 800, 1600] } } });
 */
export function withFilepress<Config extends object>(config?: Config, options?: FilepressNextOptions): Config;
