// Long times that are over when a test says so: a limit of the client, or a delay that a service asks for. What they are held
// against happens on the same machine in its own time, so that no real time is long enough for it. Other timers run as they do.
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
