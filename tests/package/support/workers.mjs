// The activity of a page's workers, observed through their messages.

/**
 * For a page before any of its scripts runs: `count` says how many workers there are and of which build they were started, how many
 * have a job, and how many bytes of WebAssembly memory they hold after their jobs; and the most of each at one time.
 */
export function countWorkers() {
  const count = { running: 0, most: 0, workers: 0, mostWorkers: 0, started: [], ended: 0, held: 0, mostHeld: 0 };
  const held = new Map();
  const note = (worker, bytes) => {
    held.set(worker, bytes);
    count.held = [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
    count.mostHeld = Math.max(count.mostHeld, count.held);
  };
  window.count = count;
  window.Worker = class extends Worker {
    #busy = false;

    constructor(url, options) {
      super(url, options);
      count.started.push(String(url).match(/worker-(\w+)/)[1]);
      count.mostWorkers = Math.max(count.mostWorkers, ++count.workers);
      this.addEventListener("message", ({ data }) => {
        if (data.held !== undefined) note(this, data.held);
        if (data.report || data.error) this.#rest();
      });
    }

    #rest() {
      if (this.#busy) count.running--;
      this.#busy = false;
    }

    postMessage(message, transfer) {
      if (message.call) {
        this.#busy = true;
        count.most = Math.max(count.most, ++count.running);
      }
      super.postMessage(message, transfer);
    }

    terminate() {
      this.#rest();
      note(this, 0);
      count.workers--;
      count.ended++;
      super.terminate();
    }
  };
}
