// The list of all items in the order they were added, and their totals.

export class List extends EventTarget {
  items = [];

  /** Adds items. A change of an item is a change of the list. */
  add(items) {
    for (const item of items) item.addEventListener("change", () => this.#notify());
    this.items.push(...items);
    this.#notify();
  }

  remove(item) {
    item.drop();
    this.items = this.items.filter((other) => other !== item);
    this.#notify();
  }

  clear() {
    for (const item of this.items) item.drop();
    this.items = [];
    this.#notify();
  }

  /** Items in one of these states. */
  in(...states) {
    return this.items.filter(({ state }) => states.includes(state));
  }

  /** Counts by state, bytes before and after of finished items, and the share of all work that is done. */
  totals() {
    const done = this.in("done");
    const sum = (items, figure) => items.reduce((total, item) => total + figure(item), 0);
    const open = this.in("reading", "working");
    const finished = this.items.length - open.length;
    return {
      count: this.items.length,
      done: done.length,
      open: open.length,
      failed: this.in("failed").length,
      canceled: this.in("canceled").length,
      waiting: this.in("needs-consent", "no-server").length,
      before: sum(done, ({ result }) => result.inputSize),
      after: sum(done, ({ result }) => result.outputSize),
      ratio: this.items.length === 0 ? 0 : (finished + sum(open, ({ progress }) => progress.ratio)) / this.items.length,
    };
  }

  #notify() {
    this.dispatchEvent(new Event("change"));
  }
}
