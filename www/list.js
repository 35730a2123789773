// All files of the page, in the order they came, and the figures for all of them.

export class List extends EventTarget {
  items = [];

  /** Adds items; each change of one is a change of the list. */
  add(items) {
    for (const item of items) item.addEventListener("change", () => this.#tell());
    this.items.push(...items);
    this.#tell();
  }

  remove(item) {
    item.drop();
    this.items = this.items.filter((other) => other !== item);
    this.#tell();
  }

  clear() {
    for (const item of this.items) item.drop();
    this.items = [];
    this.#tell();
  }

  /** Those in one of these states. */
  in(...states) {
    return this.items.filter(({ state }) => states.includes(state));
  }

  /** How many are in which states, bytes before and after of those that are done, and the share of all work that is done. */
  totals() {
    const done = this.in("done");
    const sum = (items, figure) => items.reduce((total, item) => total + figure(item), 0);
    const open = this.in("reading", "working");
    const settled = this.items.length - open.length;
    return {
      count: this.items.length,
      done: done.length,
      open: open.length,
      failed: this.in("failed").length,
      cancelled: this.in("cancelled").length,
      waiting: this.in("asking", "lacking").length,
      before: sum(done, ({ result }) => result.inputSize),
      after: sum(done, ({ result }) => result.outputSize),
      ratio: this.items.length === 0 ? 0 : (settled + sum(open, ({ progress }) => progress.ratio)) / this.items.length,
    };
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
