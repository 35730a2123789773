// The bytes of a file as a caller wants them: whole in a Blob, or as a stream.
import { throwIfAborted } from "../abort.js";
import { toFilepressError } from "../error-conversion.js";
import { createResumableDownload } from "./resumable-download.js";
import { createPhaseProgress } from "./phase-progress.js";

/**
 * A function of the file's `ref` ({ id, link }) and of { as, signal, onProgress or onLoaded, onEnd, size, type }, of which the last two
 * are what is known of the file. `run` carries out the calls of a client; `attempts` and `timeout` are its own.
 */
export function createFileDownload(run, { attempts, timeout }) {
  return async function download(ref, { as, signal, onProgress, onLoaded, onEnd, size, type }) {
    throwIfAborted(signal);
    const report = createPhaseProgress(onProgress, size ?? 0, { download: [0, 1] });
    const tell = onLoaded ?? ((loaded, total) => report("download", loaded, total));
    let served;
    const open = async (offset, etag, signal) => {
      const response = await run("files.download", { ...ref, offset, etag }, { signal });
      served = response.headers.get("content-type");
      return response;
    };
    const stream = createResumableDownload(open, { size: size || undefined, attempts, timeout, signal, onLoaded: tell, onEnd });
    if (as === "stream") return stream;
    try {
      const blob = await new Response(stream).blob();
      return blob.slice(0, blob.size, type ?? served ?? "");
    } catch (thrown) {
      throwIfAborted(signal);
      throw toFilepressError(thrown);
    }
  };
}
