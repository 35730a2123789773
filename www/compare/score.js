// SSIMULACRA2 scores of results, measured in a worker of the package on first use, and cached.
import { isSampled, samples } from "../mosaic.js";
import { filepress } from "../package.js";

/** Side in pixels of the squares by which a score is estimated: a multiple of 32, which the metric's coarsest scale has for a pixel. */
const SIDE = 256;
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

/** Resolves to about the score of a large result that was not measured yet, from a sample of its pixels; undefined for others. */
export async function estimate({ source, facts, result, background }, signal) {
  const { width, height } = result;
  const sameSize = width === facts.width && height === facts.height;
  if (measured.has(result) || !sameSize || !isSampled(result, SIDE)) return undefined;
  warmUp();
  return samples([source, result.blob], { width, height }, SIDE, signal, async ([original, other]) => {
    const { score } = await filepress();
    return (await score(original, other, { signal, background })).score;
  });
}

/** Starts a worker that can measure, which takes as long as to decode the pictures. Errors occur again where they matter. */
function warmUp() {
  const pixels = new ImageData(8, 8);
  filepress()
    .then(({ score }) => score(pixels, pixels))
    .catch(() => {});
}
