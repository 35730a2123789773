// Measures a case: for every library and picture, the quality that reaches the case's score, the bytes at that
// quality, and then, with nothing else running, the time.
import { judge } from "./output-scores.mjs";
import { sweep } from "./sweep.mjs";
import { sideBySide } from "./timing.mjs";

/**
 * @typedef {object} Measurement of one peer and one picture.
 * @property {string} peer its id.
 * @property {string} picture its name.
 * @property {number} [quality] at which it was timed.
 * @property {number} [score] what that quality scored.
 * @property {number} bytes at the target score, or of the only output there is; NaN where no quality reaches the score.
 * @property {number} ms median.
 * @property {number} spread see timing.mjs.
 */

/** @typedef {{ quality?: number, width?: number }} Settings */

/**
 * @typedef {object} Runner
 * @property {string} id of the peer.
 * @property {(picture: import("./corpus.mjs").Picture, settings: Settings) => Promise<Uint8Array>} run
 * @property {(picture: import("./corpus.mjs").Picture, settings: Settings) => Promise<number>} time the same, for the
 * milliseconds that it takes.
 */

/**
 * @param {import("./cases.mjs").Work} work
 * @param {Runner[]} runners the peers that do this work, started.
 * @param {import("./corpus.mjs").Picture[]} pictures
 * @param {{ folder: string, rounds?: object, say: (text: string) => void }} how
 * @returns {Promise<Measurement[]>}
 */
export async function measure(work, runners, pictures, { folder, rounds, say }) {
  const measurements = [];
  for (const picture of pictures) {
    const settings = (quality) => ({ quality, width: work.width });
    const encode = ({ run }, quality) => run(picture, settings(quality));
    // Peers wait for the scores of each other here, which is why nothing is timed yet.
    const found = await Promise.all(
      runners.map(async (runner) => {
        if (work.target === undefined) return { bytes: (await encode(runner)).length };
        const judged = (output) => judge(picture.path, output, { type: work.output, width: work.width, folder });
        return sweep({ encode: (quality) => encode(runner, quality), judge: judged, target: work.target, start: work.start });
      }),
    );
    const times = await sideBySide(
      runners.map(({ time }, index) => () => time(picture, settings(found[index].quality))),
      rounds,
    );
    runners.forEach(({ id }, index) => {
      const measurement = { peer: id, picture: picture.name, ...found[index], ...times[index] };
      measurements.push(measurement);
      say(told(work, measurement));
    });
  }
  return measurements;
}

function told(work, { peer, picture, quality, score, bytes, ms, points }) {
  const swept = quality === undefined ? "" : `, quality ${quality} scores ${score}, ${points} points`;
  return `${work.id} ${picture} ${peer}: ${ms.toFixed(0)} ms, ${Math.round(bytes)} bytes${swept}`;
}
