// Converts thrown values to FilepressErrors. JavaScript can throw any value, so nothing here may throw.
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

/** A description of a thrown value. */
export function describeError(thrown) {
  try {
    return typeof thrown?.message === "string" ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return "a value that cannot be described";
  }
}

/** Whether an error means out of memory. The wording differs by engine and host. */
export const isOutOfMemory = (thrown) => MEMORY.test(describeError(thrown));

/** Restores an error from a plain object of the engine or a worker; undefined for anything else. */
export function deserializeError(thrown) {
  try {
    const { kind, code, message } = thrown;
    if (!Object.hasOwn(CLASSES, kind) || typeof code !== "string" || typeof message !== "string") return undefined;
    return new CLASSES[kind](code, message, thrown);
  } catch {
    return undefined;
  }
}

/** The plain form of an error for postMessage: structured clone loses the class and refuses some causes. */
export function serializeError(thrown) {
  const { kind, code, message, details, cause } = toFilepressError(thrown);
  return { kind, code, message, details, cause: cause === undefined ? undefined : describeError(cause) };
}

/** A FilepressError unchanged; anything else as `engine_trap`. `panic` is the engine's panic message, if there is one. */
export function toFilepressError(thrown, panic) {
  if (isFilepressError(thrown)) return thrown;
  const words = (panic ?? describeError(thrown)).replace(/\s+/g, " ");
  // A failed allocation aborts by the instruction `unreachable`, without a panic.
  const outOfMemory = MEMORY.test(words) || (panic === undefined && UNREACHABLE.test(words));
  const why = outOfMemory ? ", most likely for lack of memory" : " unexpectedly";
  return new InternalError("engine_trap", `The engine stopped${why} (${words}).`, { cause: thrown });
}

/** An `engine_load` error that says what to change; `advice` is for files that are not found. */
export function toLoadError(build, thrown, advice = "") {
  if (isFilepressError(thrown)) return thrown;
  const words = describeError(thrown);
  const hint = POLICY.test(words) ? "The Content-Security-Policy lacks 'wasm-unsafe-eval' in script-src." : advice;
  const message = `The engine's "${build}" build could not be loaded (${words}). ${hint}`.trimEnd();
  return new InternalError("engine_load", message, { cause: thrown });
}

/**
 * Whether a trap may not come again. WebKit has been seen to end calls with "Out of bounds memory access" under load, which succeeded when
 * they were repeated; panics and failed allocations end in `unreachable`, and too deep a recursion is no `RuntimeError`: they come again.
 */
export function mayPass({ code, cause }) {
  return code === "engine_trap" && cause instanceof WebAssembly.RuntimeError && !UNREACHABLE.test(describeError(cause));
}

function isFilepressError(thrown) {
  try {
    return thrown instanceof FilepressError;
  } catch {
    return false;
  }
}
