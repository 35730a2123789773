// How filepress ranks in a case: ratios to the best rival for each measure. A rival is a library that runs where
// filepress does; native code is not one.
import { geometricMean } from "./curve.mjs";

/** What counts as files of the same size: up to this share of the smallest. */
export const sameSize = 1.02;

/**
 * @typedef {object} Section one work, measured.
 * @property {{ id: string, name: string, native?: boolean }[]} peers
 * @property {import("./measure.mjs").Measurement[]} measurements
 * @property {Record<string, { wasm: number, process: number }>} [memory] by peer.
 * @property {Record<string, number>} [download] by peer, in bytes.
 */

/**
 * How many times as much a peer takes as another: the geometric mean over the pictures that both made, NaN without any.
 * @param {Section} section
 * @param {"ms" | "bytes"} key
 */
export function ratio({ measurements }, peer, other, key) {
  const of = (id) => new Map(measurements.filter((one) => one.peer === id).map((one) => [one.picture, one[key]]));
  const [mine, theirs] = [of(peer), of(other)];
  const shared = [...mine].map(([picture, value]) => value / theirs.get(picture));
  return geometricMean(shared.filter((one) => one > 0 && one < Infinity));
}

/**
 * The rivals that bear comparison, by id:
 * `smallest` makes the smallest files, `equal` is the fastest of those whose files are of the same size, `fastest` is the fastest
 * whatever its files; `leanest` takes the least WebAssembly memory and `lightest` the least download.
 * @param {Section} section
 */
export function rivals(section) {
  const ids = section.peers.filter(({ id, native }) => id !== "filepress" && !native).map(({ id }) => id);
  const smallest = least(ids, (id) => ratio(section, id, "filepress", "bytes"));
  const equal = ids.filter((id) => ratio(section, id, smallest, "bytes") <= sameSize);
  const speed = (id) => ratio(section, id, "filepress", "ms");
  return {
    smallest,
    equal: least(equal, speed),
    fastest: least(ids, speed),
    leanest: section.memory && least(ids, (id) => section.memory[id]?.wasm),
    lightest: section.download && least(ids, (id) => section.download[id]),
  };
}

/**
 * What filepress takes, as a ratio to the rival named beside it.
 * @param {Section} section
 * @returns {{ measure: string, rival: string, ratio: number }[]} measures: bytes, time, fastest, memory, download.
 */
export function standing(section) {
  const { smallest, equal, fastest, leanest, lightest } = rivals(section);
  const rows = [
    { measure: "bytes", rival: smallest, ratio: beside(section, "bytes", smallest) },
    { measure: "time", rival: equal, ratio: beside(section, "time", equal) },
    { measure: "fastest", rival: fastest, ratio: beside(section, "time", fastest) },
  ];
  const { download } = section;
  if (leanest) rows.push({ measure: "memory", rival: leanest, ratio: beside(section, "memory", leanest) });
  if (lightest) rows.push({ measure: "download", rival: lightest, ratio: download.filepress / download[lightest] });
  return rows;
}

/**
 * What filepress takes of one measure beside one peer.
 * @param {Section} section
 * @param {"bytes" | "time" | "memory"} measure
 */
export function beside(section, measure, rival) {
  if (measure === "memory") return section.memory.filepress.wasm / section.memory[rival].wasm;
  return ratio(section, "filepress", rival, measure === "time" ? "ms" : "bytes");
}

/** The one with the least value; those without one do not count. */
function least(ids, value) {
  return ids.filter((id) => value(id) > 0).toSorted((a, b) => value(a) - value(b))[0];
}
