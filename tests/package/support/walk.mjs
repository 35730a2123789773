// Passes damaged files to the engine in another thread, and detects calls that hang.
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A single call that takes longer than this counts as a hang, in milliseconds. */
const PATIENCE = 120_000;

/** `installed`: the package's folder; `build`: "core" or "full"; `good`: a file that must come out the same after each damaged one. */
export function createWalk(installed, build, good) {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  let thread;

  /**
   * Walks one file: { decoded, cuts, flips, refused, codes, faults }, `decoded` telling of the file as it is. `count` and
   * `head` as in mutations.mjs; `type` is what the file is said to be.
   */
  async function walk(bytes, options, count, head, type) {
    thread ??= new Worker(new URL("./walker.mjs", import.meta.url), { workerData: { installed, build, good, counter } });
    const standing = watch();
    const over = new AbortController();
    thread.postMessage({ bytes, type, options, count, head });
    try {
      // Rejects with what the thread throws.
      const answer = once(thread, "message", { signal: over.signal });
      return (await Promise.race([answer, standing.still]))[0];
    } catch (error) {
      await close();
      throw error;
    } finally {
      standing.end();
      over.abort();
    }
  }

  /** `still` rejects when the counter has not moved for too long. */
  function watch() {
    let [seen, since, timer] = [Atomics.load(counter, 0), performance.now()];
    const still = new Promise((_, reject) => {
      timer = setInterval(() => {
        const now = Atomics.load(counter, 0);
        if (now !== seen) [seen, since] = [now, performance.now()];
        else if (performance.now() - since > PATIENCE) reject(new Error(`a call hangs, the ${seen}th of all`));
      }, 500);
    });
    return { still, end: () => clearInterval(timer) };
  }

  async function close() {
    await thread?.terminate();
    thread = undefined;
  }

  return { walk, close };
}
