// Runs one job on an engine of this thread, in a worker or inline.
import { OptionsError } from "./errors.js";
import { readBlob } from "./input.js";

/**
 * Runs `call` ("process", "variants", "inspect", "placeholder" or "score") on `input` (Blob or Uint8Array) of `type`. Resolves to
 * { bytes, report }. For a score, the settings contain the other image: `other` (Uint8Array) and `otherType`. For variants, they are
 * a list, and `onOutput` receives { index, bytes, report } for each; the bytes that it resolves to are those of the input, for other jobs.
 */
export async function runJob(engine, { call, input, type, settings }, onStage, onOutput) {
  const bytes = ArrayBuffer.isView(input) ? input : await readBlob(input);
  if (call === "inspect" || call === "placeholder") return { report: await engine.callStateless(call, bytes, type, settings) };
  if (call === "variants") {
    // An output without bytes is the input, which others may still need.
    const take = (index, made, report) => onOutput({ index, bytes: made ?? bytes.slice(), report });
    await engine.callStateless(call, bytes, type, settings, take, onStage);
    return { bytes: bytes === input ? bytes : undefined };
  }
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
