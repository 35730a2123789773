// Turns whatever was thrown into an error of ours. Anything at all may be thrown, so nothing here may throw itself.
import { FilepressError, InputError, InternalError, LimitError, OptionsError, RemoteError } from "./errors.js";

const CLASSES = {
  input: InputError,
  options: OptionsError,
  limits: LimitError,
  remote: RemoteError,
  internal: InternalError,
};

const MEMORY = /memory(?! access)|allocat/i;
const UNREACHABLE = /unreachable/i;
const POLICY = /content security policy|\bcsp\b|unsafe-eval|wasm-eval/i;

/** What was thrown, in words. */
export function describeError(thrown) {
  try {
    return typeof thrown?.message === "string" ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return "a value that cannot be described";
  }
}

/** True where memory ran out; engines and hosts say so in many ways. */
export const isOutOfMemory = (thrown) => MEMORY.test(describeError(thrown));

/** The class for an error that came as a plain object, from the engine or from a worker; undefined for anything else. */
export function deserializeError(thrown) {
  try {
    const { kind, code, message } = thrown;
    if (!Object.hasOwn(CLASSES, kind) || typeof code !== "string" || typeof message !== "string") return undefined;
    return new CLASSES[kind](code, message, thrown);
  } catch {
    return undefined;
  }
}

/** The form of an error that crosses threads: structured clone would lose the class, and refuse some causes. */
export function serializeError(thrown) {
  const { kind, code, message, details, cause } = toFilepressError(thrown);
  return { kind, code, message, details, cause: cause === undefined ? undefined : describeError(cause) };
}

/** An error of ours as it is; anything else as an `engine_trap`. `panic` is what the engine said at its end, if anything. */
export function toFilepressError(thrown, panic) {
  if (isFilepressError(thrown)) return thrown;
  const words = (panic ?? describeError(thrown)).replace(/\s+/g, " ");
  // An allocation that fails ends the engine without a panic, by the instruction `unreachable`.
  const starved = MEMORY.test(words) || (panic === undefined && UNREACHABLE.test(words));
  const why = starved ? ", most likely for lack of memory" : " unexpectedly";
  return new InternalError("engine_trap", `The engine stopped${why} (${words}).`, { cause: thrown });
}

/** An `engine_load` that tells what to change. */
export function toLoadError(build, thrown) {
  if (isFilepressError(thrown)) return thrown;
  const words = describeError(thrown);
  const hint = POLICY.test(words)
    ? "The Content-Security-Policy lacks 'wasm-unsafe-eval' in script-src."
    : "Serve the package's wasm files beside its scripts, or use init().";
  return new InternalError("engine_load", `The engine's "${build}" build could not be loaded (${words}). ${hint}`, {
    cause: thrown,
  });
}

function isFilepressError(thrown) {
  try {
    return thrown instanceof FilepressError;
  } catch {
    return false;
  }
}
