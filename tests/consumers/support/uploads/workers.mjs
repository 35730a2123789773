// The workers of a page, as a test controls them: what it does in the middle of a call comes in the middle on any machine.

/**
 * For a page before any of its scripts runs. `pool.alive` is the number of workers that nobody has terminated. While `pool.holds` is true, calls
 * do not end: the results of workers wait for `pool.release()`.
 */
function controlWorkers() {
  const held = [];
  window.pool = {
    alive: 0,
    holds: false,
    release() {
      pool.holds = false;
      for (const deliver of held.splice(0)) deliver();
    },
  };
  window.Worker = class extends Worker {
    constructor(...settings) {
      super(...settings);
      pool.alive++;
      // It comes before the listeners of the package.
      this.addEventListener("message", (event) => {
        if (!pool.holds || !event.data.report) return;
        event.stopImmediatePropagation();
        held.push(() => this.dispatchEvent(new MessageEvent("message", { data: event.data })));
      });
    }

    terminate() {
      pool.alive--;
      super.terminate();
    }
  };
}

/** Opens a page whose workers are controlled, as openPage of chromium.mjs does. */
export const withControl = (page) => page.addInitScript(controlWorkers);
