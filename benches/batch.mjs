// Twenty photos at once, compared with one alone: how well a library uses the machine's cores.
import { availableParallelism } from "node:os";
import { median } from "./curve.mjs";
import { timed } from "./timing.mjs";

/**
 * @param {{ id: string, run: import("./measure.mjs").Runner["run"] }[]} runners
 * @param {{ picture: import("./corpus.mjs").Picture, settings: object, photos: number, rounds: number }} batch
 * @returns {Promise<{ peer: string, one: number, all: number }[]>} medians in milliseconds.
 */
export async function batch(runners, { picture, settings, photos, rounds }) {
  const times = runners.map(() => ({ one: [], all: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { run }] of runners.entries()) {
      const call = () => run(picture, settings);
      const together = (length) => timed(() => Promise.all(Array.from({ length }, call)));
      if (round === 0) {
        // Pools hire their workers.
        await together(availableParallelism());
        continue;
      }
      times[index].all.push(await together(photos));
      for (let count = 0; count < 3; count += 1) times[index].one.push(await timed(call));
    }
  }
  return runners.map(({ id }, index) => ({ peer: id, one: median(times[index].one), all: median(times[index].all) }));
}
