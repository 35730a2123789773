// The list of all items in the order they were added, and their totals, which an event of an item changes by that item only.
import { isStill } from "./losses.js";
import { forEachInSlices } from "./slices.js";

const NOTHING = { done: 0, reading: 0, open: 0, failed: 0, canceled: 0, needConsent: 0, needServer: 0, lost: 0, before: 0, after: 0, ratio: 0 };
const COUNTED = { working: "open", "needs-consent": "needConsent", "no-server": "needServer" };

/** Events: "change" when an item changes; "members" when items are added, removed or restored. */
export class List extends EventTarget {
  items = [];
  /** What each item adds to the totals. */
  #shares = new Map();
  #sums = { ...NOTHING };

  add(items) {
    for (const item of items) item.addEventListener("change", () => this.#update(item));
    this.items.push(...items);
    for (const item of items) this.#count(item);
    this.#notifyMembers();
  }

  /** Removes items, and returns a function that puts them back where they were. */
  remove(items) {
    const gone = new Set(items);
    const earlier = this.items;
    this.items = earlier.filter((item) => !gone.has(item));
    for (const item of gone) {
      item.drop();
      this.#discount(item);
    }
    this.#notifyMembers();
    return () => this.#restore(earlier, gone);
  }

  #restore(earlier, gone) {
    // Files may have been added or removed since.
    const still = new Set(this.items);
    const back = earlier.filter((item) => gone.has(item) || still.has(item));
    const known = new Set(back);
    this.items = [...back, ...this.items.filter((item) => !known.has(item))];
    for (const item of gone) this.#count(item);
    this.#notifyMembers();
    forEachInSlices(gone, (item) => this.has(item) && item.restore());
  }

  /** Whether an item is in the list. */
  has(item) {
    return this.#shares.has(item);
  }

  /** Items in one of these states. */
  in(...states) {
    return this.items.filter(({ state }) => states.includes(state));
  }

  /**
   * Counts by state (those that are read are among the open ones), and bytes before and after of finished items. `lost` counts those that lost more than bytes, which are not
   * compared. `ratio` is the share of all work that is done.
   */
  totals() {
    const { ratio, ...counts } = this.#sums;
    const count = this.items.length;
    return { ...counts, count, ratio: count === 0 ? 0 : Math.min(1, (count - counts.open + ratio) / count) };
  }

  #update(item) {
    if (!this.#shares.has(item)) return;
    this.#discount(item);
    this.#count(item);
    this.dispatchEvent(new CustomEvent("change", { detail: item }));
  }

  #count(item) {
    const share = shareOf(item);
    this.#shares.set(item, share);
    for (const name of Object.keys(share)) this.#sums[name] += share[name];
  }

  #discount(item) {
    const share = this.#shares.get(item);
    this.#shares.delete(item);
    for (const name of Object.keys(share ?? {})) this.#sums[name] -= share[name];
  }

  #notifyMembers() {
    this.dispatchEvent(new Event("members"));
  }
}

function shareOf({ state, result, file, progress }) {
  if (state === "reading") return { reading: 1, open: 1 };
  const share = { [COUNTED[state] ?? state]: 1, ratio: state === "working" ? progress.ratio : 0 };
  if (state !== "done") return share;
  // The sums count what is comparable.
  if (isStill(result)) return { ...share, lost: 1 };
  return { ...share, before: file.size, after: result.outputSize };
}
