// Runs one job on an engine of this thread, in a worker or inline.
import { OptionsError } from "./errors.js";
import { readBlob } from "./input.js";

/**
 * Runs `call` ("process", "inspect" or "score") on `input` (Blob or Uint8Array) of `type`. Resolves to { bytes, report }. For a score,
 * the settings contain the other image: `other` (Uint8Array) and `otherType`.
 */
export async function runJob(engine, { call, input, type, settings }, onStage) {
  const bytes = ArrayBuffer.isView(input) ? input : await readBlob(input);
  if (call === "inspect") return { report: await engine.callStateless("inspect", bytes, type, settings) };
  if (call === "score") {
    if (engine.build !== "full") throw missingBuild("full");
    const { other, otherType, ...options } = settings;
    return { report: await engine.callStateless("score", bytes, type, other, otherType, options) };
  }
  const { bytes: made, report } = await engine.callStateless("process", bytes, type, settings, onStage);
  // Without output the input is the result: its bytes are sent back; a Blob was not moved.
  return { bytes: made ?? (bytes === input ? bytes : undefined), report };
}

/** The same error as the engine's. */
function missingBuild(build) {
  return new OptionsError("not_in_build", `The call needs the \`${build}\` build.`, { details: { build } });
}
