// Runs jobs on the calling thread. A signal is only checked before and after the engine's work.
import { abortable } from "./abort.js";
import { readBlob } from "./input.js";
import { runJob } from "./job.js";

export function createCallingThread(builds) {
  return {
    async run(build, job, onStage, signal) {
      const engine = await abortable(signal, builds.engine(build));
      const { blob, bytes } = job.source;
      const input = bytes ?? (await abortable(signal, readBlob(blob)));
      // The work cannot be interrupted, so it does not begin after an abort.
      await abortable(signal, engine.start());
      return abortable(signal, runJob(engine, { ...job, input }, onStage, job.onOutput));
    },
    workers: () => 1,
    preload: async (build) => (await builds.engine(build)).start(),
  };
}
