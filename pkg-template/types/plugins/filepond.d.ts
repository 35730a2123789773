// filepress/filepond: a plug-in of FilePond that compresses files when they are added.

import type {} from "filepond";
import type { CompressOptions, RemoteOptions } from "../../index.js";

/** Value of FilePond's option `compress`: options of the function `compress`, and the plug-in's own option `filter`. */
export interface FilePondCompressOptions extends Omit<CompressOptions, "as" | "name" | "signal" | "onProgress" | "to">, Partial<RemoteOptions> {
  /**
   * Selects the files to compress. Default: images; with a `client`, all files. Files that FilePond itself loads or
   * restores from its `server` are never compressed.
   */
  filter?: ((file: Blob) => boolean) | undefined;
}

/**
 * Compresses files when they are added. FilePond's list, uploads and form fields use the compressed file, with its new name and type. A
 * file that cannot be compressed stays unchanged; a warning in the console says why.
 *
 * @example
 * FilePond.registerPlugin(FilePondCompressor);
 * FilePond.create(input, { compress: { to: "webp" }, server: "/api/photos" });
 */
export function FilePondCompressor(fpAPI: {
  /** Registers a filter. */
  addFilter(key: string, filter: (...args: never[]) => unknown): void;
  /** FilePond's own parts. */
  utils: { Type: Record<string, unknown> };
}): { options: Record<string, unknown> };

/** The same as {@link FilePondCompressor}. */
export default FilePondCompressor;

declare module "filepond" {
  interface FilePondOptions {
    /** Whether `FilePondCompressor` compresses files. Default `true`. */
    allowCompress?: boolean | undefined;
    /** Options of `FilePondCompressor`. Default: `compress` without options. */
    compress?: FilePondCompressOptions | undefined;
  }
}
