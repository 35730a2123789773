// Lets only so many run at once; others wait in the order they came. For what goes to the service: on the device the package
// itself keeps the order.

/** @param {number} lanes how many may run at once. */
export function createLanes(lanes) {
  const waiting = [];
  let free = lanes;
  const leave = () => {
    const next = waiting.shift();
    if (next) next.enter();
    else free++;
  };

  /** Runs `work` when it is its turn. Rejects with the signal's reason when that comes first. */
  return async (signal, work) => {
    if (free > 0) free--;
    else await turn(waiting, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}

function turn(waiting, signal) {
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
