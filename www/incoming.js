// Receives files from the system, where the page is installed as an app: shared with it, or opened with it.
import { text } from "./text.js";

/** The cache in which the service worker leaves shared files. sw.js has the same name. */
const SHARED = "filepress shared";

/**
 * @param {(files: { file: File, path: string }[]) => void} take receives the files.
 * @param {(words: string) => void} say shows a message.
 */
export async function watchIncoming(take, say) {
  // Files that were opened with the app.
  globalThis.launchQueue?.setConsumer(async ({ files }) => {
    const opened = await Promise.all(files.map((handle) => handle.getFile()));
    if (opened.length > 0) take(opened.map((file) => ({ file, path: file.name })));
  });
  if (!new URLSearchParams(location.search).has("shared")) return;
  history.replaceState(history.state, "", location.pathname + location.hash);
  const shared = await takeShared();
  if (shared.length > 0) take(shared);
  else say(text.input.noFile);
}

async function takeShared() {
  const cache = await caches.open(SHARED);
  const kept = await Promise.all(
    (await cache.keys()).map(async (request) => {
      const blob = await (await cache.match(request)).blob();
      const name = decodeURIComponent(new URL(request.url).pathname.split("/").at(-1));
      return { file: new File([blob], name, { type: blob.type }), path: name };
    }),
  );
  await caches.delete(SHARED);
  return kept;
}
