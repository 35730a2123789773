// Calls onProgress with ratios that never decrease, and isolates its errors from the call.

/** Returns a function of (phase, ratio, loaded bytes, total bytes) for an input of `total` bytes. */
export function createProgress(onProgress, total) {
  let ratio = 0;
  return (phase, reached, loaded = phase === "load" ? 0 : total, whole = total) => {
    if (!onProgress) return;
    ratio = Math.max(ratio, Math.min(reached, 1));
    const event = { phase, loaded, total: whole, ratio };
    // An async function also catches rejections; it still calls synchronously.
    (async () => onProgress(event))().catch((thrown) => globalThis.reportError?.(thrown));
  };
}
