// Waits until a condition holds.
import { setTimeout as sleep } from "node:timers/promises";

/** Far more than anything takes on a busy machine, in milliseconds. */
const PATIENCE = 120_000;

/** Resolves to the first true value of `condition`; rejects when there is none for very long. */
export async function until(condition) {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(2)) {
    const found = await condition();
    if (found) return found;
  }
  throw new Error(`this did not come true: ${condition}`);
}
