// The worker's side of the pool: { module } once, then one job at a time, answered by { bytes, report } or { error, input },
// with { stage, ratio } in between where they are wanted. `held` says how many bytes the instance has from then on; they are
// given back, and said to be, when no job follows. `port` is a dedicated worker's scope or Node's parentPort.
import { createEngine } from "./engine.js";
import { InternalError } from "./errors.js";
import { runJob } from "./job.js";
import { serializeError } from "./error-conversion.js";

/** How long large memory waits for the next job, in milliseconds: as long as a person takes between two pictures. */
const PATIENCE_MS = 5_000;

export function serve(port, build, glue) {
  let engine;

  port.onmessage = async ({ data }) => {
    if (data.module) {
      const start = (glue, module) => glue.initSync({ module });
      engine = createEngine(build, glue, data.module, start, PATIENCE_MS, () => port.postMessage({ recycled: true, held: 0 }));
      return;
    }
    const onStage = data.reports ? (stage, ratio) => port.postMessage({ stage, ratio }) : undefined;
    try {
      const { bytes, report } = await runJob(engine, data, onStage);
      port.postMessage({ bytes, report, held: engine.held() }, bytes ? [bytes.buffer] : []);
    } catch (thrown) {
      // Bytes that were handed over go back, so that another build can have them.
      const input = ArrayBuffer.isView(data.input) ? data.input : undefined;
      port.postMessage({ error: serializeError(thrown), input, held: engine.held() }, input ? [input.buffer] : []);
    }
  };
  port.onmessageerror = () => {
    const error = new InternalError("worker_failed", "A worker could not receive its job.");
    port.postMessage({ error: serializeError(error) });
  };
  // Tells a script that could not be loaded from one that ended later.
  port.postMessage({ started: true });
}
