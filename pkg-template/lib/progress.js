// Calls onProgress with ratios that never decrease, and isolates its errors from the call. The ratios of stages come from the engine
// (src/image/progress.rs); between two of its reports stage-progress.js estimates them.

/** Returns a function of (phase, ratio, { loaded, total, attempt }) for an input of `size` bytes. */
export function createProgress(onProgress, size) {
  let ratio = 0;
  let begun;
  return (phase, reached, { loaded = phase === "load" ? 0 : size, total = size, attempt } = {}) => {
    if (!onProgress) return;
    // Time in a queue tells nothing about the rest.
    if (phase !== "load") begun ??= performance.now();
    ratio = Math.max(ratio, Math.min(reached, 1));
    const event = { phase, loaded, total, ratio };
    if (attempt) event.attempt = attempt;
    const passed = performance.now() - begun;
    if (ratio === 1 || (ratio > 0 && passed > LEAST_MS)) event.remaining = Math.round((passed * (1 - ratio)) / ratio);
    // An async function also catches rejections; it still calls synchronously.
    (async () => onProgress(event))().catch((thrown) => globalThis.reportError?.(thrown));
  };
}

/** The remaining time is told after this many milliseconds. */
const LEAST_MS = 500;
