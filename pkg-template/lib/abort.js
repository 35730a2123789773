// What an AbortSignal means to a call. What only behaves as one may throw at any touch.
import { OptionsError } from "./errors.js";

/** Per signal, what to do when it aborts: one listener for all calls, since Node warns of a leak from eleven on. */
const hubs = new WeakMap();

export function throwIfAborted(signal) {
  if (signal && touch(() => signal.aborted)) throw reasonOf(signal);
}

/**
 * `promise`, or a rejection with the signal's reason as soon as that aborts; `onAbort` then ends what is under way.
 * Nothing listens for this call any more when the promise returned here settles.
 */
export async function abortable(signal, promise, onAbort) {
  if (!signal) return promise;
  let stop;
  const aborted = new Promise((_, reject) => {
    const end = () => {
      reject(reasonOf(signal));
      onAbort?.();
    };
    if (touch(() => signal.aborted)) end();
    else stop = touch(() => listen(signal, end));
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    stop?.();
  }
}

function reasonOf(signal) {
  try {
    const reason = touch(() => signal.reason);
    return reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
  } catch (thrown) {
    return thrown;
  }
}

function touch(look) {
  try {
    return look();
  } catch (cause) {
    throw new OptionsError("invalid_option", "signal must be an AbortSignal: this one throws.", { details: { option: "signal" }, cause });
  }
}

function listen(signal, callback) {
  if (!hubs.has(signal)) {
    const callbacks = new Set();
    hubs.set(signal, { callbacks, listener: () => callbacks.forEach((each) => each()) });
  }
  const { callbacks, listener } = hubs.get(signal);
  if (callbacks.size === 0) signal.addEventListener("abort", listener);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) touch(() => signal.removeEventListener("abort", listener));
  };
}
