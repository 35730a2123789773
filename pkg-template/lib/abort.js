// What an AbortSignal means to a call.

/** Per signal, what to do when it aborts: one listener for all calls, since Node warns of a leak from eleven on. */
const hubs = new WeakMap();

export function throwIfAborted(signal) {
  if (signal?.aborted) throw reasonOf(signal);
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
    if (signal.aborted) end();
    else stop = listen(signal, end);
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    stop?.();
  }
}

function reasonOf(signal) {
  return signal.reason === undefined ? new DOMException("This operation was aborted", "AbortError") : signal.reason;
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
    if (callbacks.size === 0) signal.removeEventListener("abort", listener);
  };
}
