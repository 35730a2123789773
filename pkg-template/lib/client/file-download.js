// Downloads a file, as a Blob or as a stream.
import { throwIfAborted } from "../abort.js";
import { toFilepressError } from "../error-conversion.js";
import { createResumableDownload } from "./resumable-download.js";
import { createPhaseProgress } from "./phase-progress.js";

/**
 * Returns a function of the file's `ref` ({ id, link }) and { as, signal, onProgress or onLoaded, onEnd, size, type }; `size` and `type`
 * are those of the file, if known. `run` runs the calls of a client; `attempts` and `timeout` are options of the client.
 */
export function createFileDownload(run, { attempts, timeout }) {
  return async function download(ref, { as, signal, onProgress, onLoaded, onEnd, size, type }) {
    throwIfAborted(signal);
    const report = createPhaseProgress(onProgress, size ?? 0, { download: [0, 1] });
    const reportLoaded = onLoaded ?? ((loaded, total) => report("download", loaded, total));
    let contentType;
    const open = async (offset, etag, signal) => {
      const response = await run("files.download", { ...ref, offset, etag }, { signal });
      contentType = response.headers.get("content-type");
      return response;
    };
    const stream = createResumableDownload(open, { size: size || undefined, attempts, timeout, signal, onLoaded: reportLoaded, onEnd });
    if (as === "stream") return stream;
    try {
      const blob = await new Response(stream).blob();
      return blob.slice(0, blob.size, type ?? contentType ?? "");
    } catch (thrown) {
      throwIfAborted(signal);
      throw toFilepressError(thrown);
    }
  };
}
