// SSIMULACRA2 scores of results, measured in a worker of the package on first use, and cached.
import { filepress } from "../package.js";

const measured = new WeakMap();

/**
 * Resolves to the result of the package's `score`. Rejects with the signal's reason, or if the images can't be compared.
 */
export async function measure({ source, result, background }, signal) {
  if (!measured.has(result)) {
    const { score } = await filepress();
    measured.set(result, await score(source, result.blob, { signal, background }));
  }
  return measured.get(result);
}
