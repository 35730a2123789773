// The caller's onProgress: ratios that never decrease, and errors that never reach the call.

/** A function of (phase, ratio, bytes that went by, of how many) for an input of `total` bytes. */
export function createProgress(onProgress, total) {
  let ratio = 0;
  return (phase, reached, loaded = phase === "load" ? 0 : total, whole = total) => {
    if (!onProgress) return;
    ratio = Math.max(ratio, Math.min(reached, 1));
    const event = { phase, loaded, total: whole, ratio };
    // Async, so that a rejection is caught as well; it still calls at once.
    (async () => onProgress(event))().catch((thrown) => globalThis.reportError?.(thrown));
  };
}
