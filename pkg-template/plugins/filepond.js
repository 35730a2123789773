// Entry of filepress/filepond: a plug-in that compresses files when they are added to FilePond, so that the list, previews, uploads and
// forms all have the result.
import { compressForUpload, readUploadOptions } from "./upload.js";

/** The value of FilePond's `FileOrigin.INPUT`: the visitor or the page added the file. The others come from the server. */
const INPUT = 1;
/** FilePond emits no event when an item is removed. */
const POLL_MS = 100;

/** Registered by `registerPlugin`, which calls it once with FilePond's own parts. */
export function FilePondCompressor({ addFilter, utils: { Type } }) {
  // Until this resolves, FilePond shows the item as loading, with a button that aborts.
  addFilter("DID_LOAD_ITEM", async (item, { query, dispatch }) => {
    const { filter, options } = readUploadOptions(query("GET_COMPRESS"));
    if (!query("GET_ALLOW_COMPRESS") || item.origin !== INPUT || !(item.file instanceof Blob) || !filter(item.file)) return item;
    const onProgress = ({ ratio: progress }) => item.archived || dispatch("DID_UPDATE_ITEM_LOAD_PROGRESS", { id: item.id, progress });
    const file = await compressItem(item, options, onProgress);
    // A removed item must not be added again, nor reported as an error: FilePond has forgotten it.
    if (item.archived) return new Promise(() => {});
    if (file) item.setFile(file);
    return item;
  });

  return { options: { allowCompress: [true, Type.BOOLEAN], compress: [{}, Type.OBJECT] } };
}

/** Resolves to the compressed file; to undefined if it cannot be compressed, or was removed. */
async function compressItem(item, options, onProgress) {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setInterval(() => item.archived && controller.abort(), POLL_MS);
  const warn = (error) => console.warn(`filepress: ${item.file.name} is not compressed: ${error.message}`);
  try {
    return (await compressForUpload(item.file, options, { signal, onProgress, warn }))?.file;
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    clearInterval(timer);
  }
}

export default FilePondCompressor;
