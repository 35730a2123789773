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
    // One may have been deleted since.
    const opened = await Promise.all(files.map((handle) => handle.getFile().catch(() => undefined)));
    const found = opened.filter(Boolean);
    if (found.length > 0) take(found.map((file) => ({ file, path: file.name })));
    else if (files.length > 0) say(text.errors.unreadable);
  });
  if (!new URLSearchParams(location.search).has("shared")) return;
  history.replaceState(history.state, "", location.pathname + location.hash);
  // A browser that keeps nothing for a page refuses the cache itself.
  const shared = await takeShared().catch(() => []);
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
