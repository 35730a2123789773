// The rate curve of an encoder: measured points { quality, score, bytes } and interpolation between them.

/**
 * The bytes that a score would take, between the two measured points next to it: by the logarithm of the bytes, which is nearly
 * straight over the score. NaN beyond the first and the last.
 * @param {{ score: number }[]} points
 * @param {string} key the member that holds the bytes.
 */
export function bytesAt(points, key, score) {
  const exact = points.filter((point) => point.score === score).map((point) => point[key]);
  if (exact.length > 0) return Math.min(...exact);
  const sorted = points.toSorted((a, b) => a.score - b.score);
  const above = sorted.findIndex((point) => point.score > score);
  if (above < 1) return NaN;
  const [from, to] = [sorted[above - 1], sorted[above]];
  const part = (score - from.score) / (to.score - from.score);
  return Math.exp(Math.log(from[key]) * (1 - part) + Math.log(to[key]) * part);
}

/**
 * The whole quality, 1 to 100, at which a score is to be expected: on the straight line through the two points next to it, or
 * beyond the last point through the last two. Where that line does not go up, it is half of the way to the end of the scale.
 * @param {{ quality: number, score: number }[]} points at least two.
 */
export function qualityAt(points, score) {
  const sorted = points.toSorted((a, b) => a.quality - b.quality);
  const above = sorted.findIndex((point) => point.score >= score);
  const index = above < 0 ? sorted.length - 1 : Math.max(1, above);
  const [from, to] = [sorted[index - 1], sorted[index]];
  const quality =
    to.score > from.score
      ? from.quality + ((score - from.score) / (to.score - from.score)) * (to.quality - from.quality)
      : above < 0
        ? (to.quality + 100) / 2
        : from.quality / 2;
  return Math.min(100, Math.max(1, Math.round(quality)));
}

/** The mean of ratios: NaN of none. */
export function geometricMean(ratios) {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

/** The upper one of the middle two where their number is even. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
