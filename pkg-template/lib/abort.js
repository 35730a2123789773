// Aborts calls by their AbortSignal. A lookalike of a signal may throw on any access.
import { OptionsError } from "./errors.js";

/** Callbacks by signal. Each signal gets one listener for all calls, because Node warns of a leak at eleven. */
const registrations = new WeakMap();

export function throwIfAborted(signal) {
  if (signal && guard(() => signal.aborted)) throw reasonOf(signal);
}

/**
 * Settles as `promise` does, or rejects with the signal's reason as soon as it aborts; `onAbort` then stops the work. The listener is
 * removed when the returned promise settles.
 */
export async function abortable(signal, promise, onAbort) {
  if (!signal) return promise;
  let stop;
  const aborted = new Promise((_, reject) => {
    const end = () => {
      reject(reasonOf(signal));
      onAbort?.();
    };
    if (guard(() => signal.aborted)) end();
    else stop = guard(() => listen(signal, end));
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    stop?.();
  }
}

function reasonOf(signal) {
  try {
    const reason = guard(() => signal.reason);
    return reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
  } catch (thrown) {
    return thrown;
  }
}

function guard(access) {
  try {
    return access();
  } catch (cause) {
    throw new OptionsError("invalid_option", "signal must be an AbortSignal: this one throws.", { details: { option: "signal" }, cause });
  }
}

function listen(signal, callback) {
  if (!registrations.has(signal)) {
    const callbacks = new Set();
    registrations.set(signal, { callbacks, listener: () => callbacks.forEach((each) => each()) });
  }
  const { callbacks, listener } = registrations.get(signal);
  if (callbacks.size === 0) signal.addEventListener("abort", listener);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) guard(() => signal.removeEventListener("abort", listener));
  };
}
