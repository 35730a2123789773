// The worker side of the pool, in a Worker that platforms/{browser,node}.js start. Receives { module } once, then one job at a time,
// answered by { bytes, report } or { error, input }, with { output } in between for variants, and { stage, ratio, next, attempt } if requested. `held` is the memory of
// the instance in bytes. After a trap the job is answered by its error, the Worker stays, and engine.js starts a new instance for the
// next job. When it is idle, a large instance is dropped, reported as { recycled }. `port` is a dedicated worker's scope or Node's
// parentPort.
import { Engine } from "./engine.js";
import { InternalError } from "./errors.js";
import { runJob } from "./job.js";
import { serializeError } from "./error-conversion.js";

/** A large instance is dropped after this many idle milliseconds: longer than a user takes between two images. */
const IDLE_MS = 5_000;

export function serve(port, build, glue) {
  let engine;

  port.onmessage = async ({ data }) => {
    if (data.module) {
      const start = (glue, module) => glue.initSync({ module });
      engine = new Engine(build, glue, data.module, start, IDLE_MS, () => port.postMessage({ recycled: true, held: 0 }));
      return;
    }
    const onStage = data.reports ? (stage, ratio, next, attempt) => port.postMessage({ stage, ratio, next, attempt }) : undefined;
    try {
      const onOutput = (output) => port.postMessage({ output }, [output.bytes.buffer]);
      const { bytes, report } = await runJob(engine, data, onStage, onOutput);
      port.postMessage({ bytes, report, held: engine.held() }, bytes ? [bytes.buffer] : []);
    } catch (thrown) {
      // Returns the transferred bytes, so that another build can process them.
      const input = ArrayBuffer.isView(data.input) ? data.input : undefined;
      port.postMessage({ error: serializeError(thrown), input, held: engine.held() }, input ? [input.buffer] : []);
    }
  };
  port.onmessageerror = () => {
    const error = new InternalError("worker_failed", "A worker could not receive its job.");
    port.postMessage({ error: serializeError(error) });
  };
  // Distinguishes a script that failed to load from a worker that ended later.
  port.postMessage({ started: true });
}
