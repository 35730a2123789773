// How much of a big test is run. FILEPRESS_SCALE (default 0.1) is the share of its cases: `make test` runs a tenth, `make soak-engines` all.
import { env } from "node:process";
import { seed } from "./seed.mjs";

const { FILEPRESS_SCALE = "0.1" } = env;
const scale = Number(FILEPRESS_SCALE);
if (!(scale > 0 && scale <= 1)) throw new Error(`FILEPRESS_SCALE is no share of 1: ${FILEPRESS_SCALE}`);

/** That share of a count. */
export const scaled = (count) => Math.ceil(count * scale);

/** Numbers from 0 to below 1 (mulberry32), the same for the same FILEPRESS_SEED. */
export function createRandom(own) {
  let state = seed(own);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
