// Progress over several phases, each with its share of the whole.
import { createProgress } from "../progress.js";

/**
 * Returns a function of (phase, loaded, total, ratio of the phase) for an input of `size` bytes. `shares` contains the start and end
 * ratio of each phase: { upload: [0, 0.4], … }.
 */
export function createPhaseProgress(onProgress, size, shares) {
  const progress = createProgress(onProgress, size);
  return (phase, loaded, total = size, ratio = total > 0 ? loaded / total : 0) => {
    const [from, to] = shares[phase];
    progress(phase, from + (to - from) * Math.min(ratio, 1), { loaded, total });
  };
}
