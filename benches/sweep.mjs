// Finds the bytes that an encoder needs for a given score: a search over qualities that narrows down to it.
import { bytesAt, qualityAt } from "./curve.mjs";

/** How near to the target a measured point has to be, and how many are made at most to get there. */
const near = 0.8;
const most = 8;
/** As many points as a straight line may choose; then the way is halved, since some encoders go up in steps. */
const straight = 4;
/** A step of more than this is not read between: the score costs what its upper end costs. */
const step = 10;

/**
 * @param {object} job
 * @param {(quality: number) => Promise<Uint8Array>} job.encode
 * @param {(bytes: Uint8Array) => Promise<number>} job.judge the score of an output.
 * @param {number} job.target the score that is wanted.
 * @param {number[]} job.start the first qualities, at least two.
 * @returns {Promise<{ quality: number, score: number, bytes: number, points: number }>} a measured quality with its score (the
 * one next to the target, behind a step the one above it), the bytes at the target itself (NaN where no quality reaches it),
 * and how many qualities were measured.
 */
export async function sweep({ encode, judge, target, start }) {
  const points = [];
  const measure = async (quality) => {
    const output = await encode(quality);
    points.push({ quality, score: await judge(output), bytes: output.length });
  };
  for (const quality of start) await measure(quality);
  for (let next = nextQuality(points, target); next !== undefined && points.length < most; next = nextQuality(points, target)) {
    await measure(next);
  }
  return { ...outcome(points, target), points: points.length };
}

/** Undefined where nothing is left to be learned. */
function nextQuality(points, target) {
  const { below, above } = around(points, target);
  if (below && above && distance(closest(points, target), target) <= near) return undefined;
  const [lowest, highest] = [below ? below.quality + 1 : 1, above ? above.quality - 1 : 100];
  if (lowest > highest) return undefined;
  const halfway = Math.floor((lowest + highest) / 2);
  const guess = below && above && points.length >= straight ? halfway : qualityAt(points, target);
  return Math.min(highest, Math.max(lowest, guess));
}

function outcome(points, target) {
  const { below, above } = around(points, target);
  const next = closest(points, target);
  // Where the lowest quality is better than asked for, it is what the score costs.
  if (above && (!below || (distance(next, target) > near && above.score - below.score > step))) return above;
  return { ...next, bytes: bytesAt(points, "bytes", target) };
}

/** The lowest quality that reaches the target, and the highest under it that does not. */
function around(points, target) {
  const sorted = points.toSorted((a, b) => a.quality - b.quality);
  const above = sorted.find(({ score }) => score >= target);
  const below = sorted.findLast(({ quality, score }) => score < target && !(quality > above?.quality));
  return { below, above };
}

function closest(points, target) {
  return points.toSorted((a, b) => distance(a, target) - distance(b, target))[0];
}

function distance({ score }, target) {
  return Math.abs(score - target);
}
