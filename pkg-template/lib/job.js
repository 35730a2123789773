// One job on an engine of this thread: the same in a worker and inline.
import { readBlob } from "./input.js";

/** A job: `call` ("process" or "inspect") on `input` (Blob or Uint8Array) of `type`. Resolves to { bytes, report }. */
export async function runJob(engine, { call, input, type, settings }, onStage) {
  const bytes = ArrayBuffer.isView(input) ? input : await readBlob(input);
  if (call === "inspect") return { report: await engine.call("inspect", bytes, type, settings) };
  const { bytes: made, report } = await engine.call("process", bytes, type, settings, onStage);
  // Nothing made means that the input is the result: bytes go back to where they came from, a Blob is still there.
  return { bytes: made ?? (bytes === input ? bytes : undefined), report };
}
