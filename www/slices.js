// Does work that can wait in short slices, so that the page answers a visitor in between.

/** Milliseconds of a slice. */
export const SLICE = 8;
const waiting = new Set();
let timer;

/** Calls `work` soon. If it waits already, once is enough. */
export function soon(work) {
  waiting.add(work);
  timer ??= setTimeout(run);
}

function run() {
  const end = performance.now() + SLICE;
  for (const work of waiting) {
    if (performance.now() > end) break;
    waiting.delete(work);
    work();
  }
  timer = waiting.size > 0 ? setTimeout(run) : undefined;
}

/** Calls `work` in a task of its own, the next one: before what a visitor does meanwhile. */
export function inNextTask(work) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(undefined);
}

/** Awaits `work` for each item, one after another. */
export async function forEachInSlices(items, work) {
  let end = performance.now() + SLICE;
  for (const item of items) {
    if (performance.now() > end) {
      await new Promise((resolve) => setTimeout(resolve));
      end = performance.now() + SLICE;
    }
    await work(item);
  }
}
