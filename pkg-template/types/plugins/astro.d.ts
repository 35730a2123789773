// filepress/astro: the image service of Astro.

import type { AstroIntegration } from "astro";
import type { CompressOptions } from "../../index.js";

/** Options of `compress` for all images. They are written into the configuration of the build, so they have to be plain data. */
export type FilepressAstroOptions = Pick<CompressOptions, "quality" | "minScore" | "effort" | "colors" | "dither" | "chroma" | "background" | "metadata" | "animation" | "hdr" | "limits">;

/**
 * Makes filepress Astro's image service: `<Image>`, `<Picture>` and `getImage` use it, in builds and on servers. sharp is not needed.
 *
 * The crop of `fit="cover"` is always in the center: `position` has no effect.
 */
export function filepress(options?: FilepressAstroOptions): AstroIntegration;

/** The same as {@link filepress}. */
export default filepress;
