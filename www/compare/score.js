// How much a result differs from its file to the eye: measured when it is first looked at, in a worker of the package, and kept
// with the result.
import { filepress } from "../package.js";

const measured = new WeakMap();

/**
 * Resolves to what `score` of the package tells of a comparison's two sides. Rejects with the signal's reason, or where they
 * cannot be compared.
 */
export async function measure({ file, result, background }, signal) {
  if (!measured.has(result)) {
    const { score } = await filepress();
    measured.set(result, await score(file, result.blob, { signal, background }));
  }
  return measured.get(result);
}
