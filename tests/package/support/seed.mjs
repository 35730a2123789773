// The seeds of the tests' random numbers. FILEPRESS_SEED (default 0) is added to each, so that one number changes all of
// them and repeats a run.
import { env } from "node:process";

const { FILEPRESS_SEED = "0" } = env;
if (!/^\d{1,15}$/.test(FILEPRESS_SEED)) throw new Error(`FILEPRESS_SEED is no whole number: ${FILEPRESS_SEED}`);
let told = false;

/** The seed of a generator whose own number is `own`: 32 bits. The first call prints what repeats the run. */
export function seed(own) {
  if (!told) console.error(`FILEPRESS_SEED=${FILEPRESS_SEED}`);
  told = true;
  return (Number(FILEPRESS_SEED) + own) >>> 0;
}
