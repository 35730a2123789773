// What plug-ins for uploads have in common: which files they take, and that an upload never fails because of a compression that does.
import { compress } from "filepress";

/** Taken without a client. */
const isImage = ({ type }) => type.startsWith("image/");

/** Splits the options of a plug-in into `filter`, which selects files, and those of `compress`. Without a client, only images are taken. */
export function readUploadOptions({ filter, ...options } = {}) {
  return { filter: filter ?? (options.client ? () => true : isImage), options };
}

/**
 * Resolves to the result; to undefined if the file cannot be compressed, which `warn` is told. Rejects with the reason of `signal` only.
 */
export async function compressForUpload(file, options, { signal, onProgress, warn }) {
  try {
    return await compress(file, { ...options, signal, onProgress });
  } catch (error) {
    if (signal.aborted) throw error;
    warn(error);
    return undefined;
  }
}
