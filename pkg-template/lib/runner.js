// Runs jobs in a pool of workers; on the calling thread if there are no workers, if `init` says so, or if none can be started.
import { createCallingThread } from "./calling-thread.js";
import { describeError } from "./error-conversion.js";
import { createPool, StartFailure } from "./pool.js";

/**
 * `platform` has `hasWorkers()`; `pool()`, the platform of `createPool`; and `advice()` for the case that a worker cannot be started.
 * Returns `run`; `preload(build)`, which resolves when a job of that build can begin; and `workers()`, the most jobs that run at once.
 */
export function createRunner(builds, settings, platform) {
  const callingThread = createCallingThread(builds);
  let pool;

  /** The pool, if it is to be used now. */
  function getPool() {
    if (!settings.worker || !platform.hasWorkers()) return undefined;
    return (pool ??= createPool(builds, settings, platform.pool()));
  }

  async function run(build, job, ...call) {
    const pool = getPool();
    if (!pool) return callingThread.run(build, job, ...call);
    try {
      return await pool.run(build, job, ...call);
    } catch (thrown) {
      if (!(thrown instanceof StartFailure)) throw thrown;
      const cause = `No worker could be started (${describeError(thrown.cause)}), so the work ran on the calling thread.`;
      const warn = (outcome) => {
        outcome.report?.warnings?.push({ code: "worker_unavailable", message: `${cause} ${platform.advice()}` });
        return outcome;
      };
      return warn(await callingThread.run(build, { ...job, onOutput: (output) => job.onOutput(warn(output)) }, ...call));
    }
  }

  async function preload(build) {
    if (!(await getPool()?.preload(build))) await callingThread.preload(build);
  }
  return { run, preload, workers: () => getPool()?.limit ?? 1 };
}
