// A semaphore for calls of the server, and for reading files. Other local calls are queued by the package itself.

/** @param {number} permits the number of calls that run at once. Others wait in order. */
export function createSemaphore(permits) {
  const waiting = [];
  let free = permits;
  const release = () => {
    const next = waiting.shift();
    if (next) next.enter();
    else free++;
  };

  /** Runs `work` when a permit is free. Rejects with the signal's reason if it aborts first. */
  return async (signal, work) => {
    if (free > 0) free--;
    else await acquire(waiting, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      release();
    }
  };
}

function acquire(waiting, signal) {
  return new Promise((enter, refuse) => {
    const place = { enter };
    waiting.push(place);
    signal.addEventListener("abort", () => {
      const index = waiting.indexOf(place);
      if (index < 0) return;
      waiting.splice(index, 1);
      refuse(signal.reason);
    });
  });
}
