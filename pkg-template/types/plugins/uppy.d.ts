// filepress/uppy: a plug-in of Uppy that compresses files before they are uploaded.

import { BasePlugin, type Body, type Meta, type PluginOpts, type Uppy } from "@uppy/core";
import type { CompressOptions, RemoteOptions } from "../../index.js";

/** Options of {@link UppyCompressor}: those of `compress`, and the plug-in's own option `filter`. */
export interface UppyCompressorOptions
  extends PluginOpts,
    Omit<CompressOptions, "as" | "name" | "signal" | "onProgress" | "to">,
    Partial<RemoteOptions> {
  /** Selects the files to compress. Default: images; with a `client`, all files. Files of remote providers are never compressed. */
  filter?: ((file: Blob) => boolean) | undefined;
}

/**
 * Compresses files when an upload starts. Name, type, size and preview of a file become those of the result. A file that cannot be
 * compressed is uploaded unchanged; a warning in Uppy's log says why.
 *
 * @example
 * uppy.use(UppyCompressor, { to: "webp", resize: { maxWidth: 1600 } });
 */
export class UppyCompressor<M extends Meta, B extends Body> extends BasePlugin<UppyCompressorOptions, M, B> {
  /** Called by `uppy.use`. The default of `id` is `"FilepressCompressor"`. */
  constructor(uppy: Uppy<M, B>, opts?: UppyCompressorOptions);
}

/** The same as {@link UppyCompressor}. */
export default UppyCompressor;
