// Times several runs in turn, round after round, so that other load on the machine affects all of them equally.
import { median } from "./curve.mjs";

/** Fewest and most rounds. Between them they go on until `budget`, in milliseconds, is used up. */
const rounds = { fewest: 3, most: 9, budget: 4000 };

/**
 * Every run has to be warm already.
 * @param {(() => Promise<number>)[]} runs each tells the milliseconds that it took.
 * @param {{ fewest: number, most: number, budget: number }} [bounds]
 * @returns {Promise<{ ms: number, spread: number }[]>} of each the median, and the difference between its slowest and its
 * fastest round as a share of the median.
 */
export async function sideBySide(runs, bounds = rounds) {
  const times = runs.map(() => []);
  const started = performance.now();
  for (let round = 0; round < bounds.most; round += 1) {
    if (round >= bounds.fewest && performance.now() - started > bounds.budget) break;
    // To and fro, so that no run is always behind the same other.
    const order = round % 2 === 0 ? runs.keys() : [...runs.keys()].reverse();
    for (const index of order) times[index].push(await runs[index]());
  }
  return times.map((own) => ({ ms: median(own), spread: (Math.max(...own) - Math.min(...own)) / median(own) }));
}

/** Milliseconds of one run. */
export async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
