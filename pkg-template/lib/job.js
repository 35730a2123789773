// One job on an engine of this thread: the same in a worker and inline.
import { OptionsError } from "./errors.js";
import { readBlob } from "./input.js";

/**
 * A job: `call` ("process", "inspect" or "score") on `input` (Blob or Uint8Array) of `type`. Resolves to { bytes, report }. The
 * settings of a score bring along what the input is compared with: `other`, a Uint8Array, of `otherType`.
 */
export async function runJob(engine, { call, input, type, settings }, onStage) {
  const bytes = ArrayBuffer.isView(input) ? input : await readBlob(input);
  if (call === "inspect") return { report: await engine.call("inspect", bytes, type, settings) };
  if (call === "score") {
    if (engine.build !== "full") throw lacking("full");
    const { other, otherType, ...options } = settings;
    return { report: await engine.call("score", bytes, type, other, otherType, options) };
  }
  const { bytes: made, report } = await engine.call("process", bytes, type, settings, onStage);
  // Nothing made means that the input is the result: bytes go back to where they came from, a Blob is still there.
  return { bytes: made ?? (bytes === input ? bytes : undefined), report };
}

/** The engine says the same of what it lacks itself. */
function lacking(build) {
  return new OptionsError("not_in_build", `The call needs what only the \`${build}\` build holds.`, { details: { build } });
}
