// Long timers that a test ends by hand: a timeout of the client, or a delay that a service requests. Real time on a
// loaded machine cannot decide which of two events comes first, so the test decides. Other timers are not affected.
import { setTimeout as sleep } from "node:timers/promises";

/** Such a time, in milliseconds; up to a minute more is one as well. */
export const DAY = 86_400_000;

const running = new Set();
let count = 0;
const { setTimeout, clearTimeout } = globalThis;
globalThis.setTimeout = (end, time, ...given) => {
  if (!(time >= DAY && time <= DAY + 60_000)) return setTimeout(end, time, ...given);
  const timer = { end };
  running.add(timer);
  count += 1;
  return timer;
};
globalThis.clearTimeout = (timer) => void (running.delete(timer) || clearTimeout(timer));

/** How many such times have begun so far, and how many run. */
export const begun = () => count;
export const stillRunning = () => running.size;

/** Ends those that run. */
export function pass() {
  for (const timer of running) {
    running.delete(timer);
    timer.end();
  }
}

/** Ends one after another until a call has settled, and resolves or rejects as that does. */
export async function passUntil(call) {
  let settled = false;
  const end = () => (settled = true);
  call.then(end, end);
  for (; !settled; await sleep(2)) pass();
  return call;
}
