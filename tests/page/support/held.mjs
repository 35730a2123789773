// Delays the results of the page's workers, so that a file stays in progress while a test looks at it.

/** For a page before its scripts run: from `hold()` until `release()` no file that a worker has made reaches the page. */
export function holdable() {
  let held;
  window.hold = () => void (held ??= []);
  window.release = () => {
    const waiting = held ?? [];
    held = undefined;
    for (const deliver of waiting) deliver();
  };
  window.Worker = class extends Worker {
    #call;

    constructor(...given) {
      super(...given);
      // Before whatever the page listens with.
      this.addEventListener("message", (event) => {
        const { data } = event;
        if (!held || !data.report || this.#call !== "process") return;
        event.stopImmediatePropagation();
        held.push(() => this.dispatchEvent(new MessageEvent("message", { data })));
      });
    }

    postMessage(message, ...given) {
      this.#call = message.call ?? this.#call;
      super.postMessage(message, ...given);
    }
  };
}
