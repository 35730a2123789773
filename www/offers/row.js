// A row of buttons, one for each offer, with its size. When all sizes are known, the one with the fewest bytes is marked; the one that
// was taken is pressed.
import { formatSaving, formatSize } from "../formatting.js";
import { text } from "../text.js";
import { callOf } from "./measure.js";

export class OfferRow {
  /** What the row knows of each offer: { call, button, bytes, exact }. */
  entries;
  #place;
  #item;
  #savings;
  /** The call for which the smallest is to be taken once it is known. Another choice of the visitor takes precedence. */
  #wanted;

  /** @param {boolean} savings whether each button has the saving as well; otherwise only that with the fewest bytes has it. */
  constructor(place, item, offers, savings) {
    this.#place = place;
    this.#item = item;
    this.#savings = savings;
    this.entries = offers.map((offer) => ({ ...offer, call: callOf(item, offer), button: document.createElement("button") }));
    for (const { button, name, own } of this.entries) {
      Object.assign(button, { type: "button", className: "button plain small", textContent: `${name} …` });
      button.addEventListener("click", () => item.adjust(own));
    }
    place.replaceChildren(...this.entries.map(({ button }) => button));
    place.hidden = false;
    this.update();
  }

  /** Whether the settings are still those that the sizes belong to. */
  get holds() {
    return this.entries.every((entry) => JSON.stringify(entry.call) === JSON.stringify(callOf(this.#item, entry)));
  }

  /** Shows the row if it holds, and else nothing: sizes for other settings are worse than none. */
  refresh() {
    const buttons = this.holds ? this.entries.map(({ button }) => button) : [];
    if (this.#place.childElementCount !== buttons.length) this.#place.replaceChildren(...buttons);
    this.update();
  }

  /** Shows the size of an offer. */
  show(entry, bytes, exact) {
    Object.assign(entry, { bytes, exact });
    this.update();
  }

  /** Removes an offer that cannot be made. */
  drop(entry) {
    entry.button.remove();
    this.entries = this.entries.filter((other) => other !== entry);
    this.update();
  }

  /** Takes the offer with the fewest bytes, as soon as all sizes are known. Returns whether they are. */
  takeSmallest() {
    this.#wanted = this.#item.call;
    this.update();
    return this.#wanted === undefined;
  }

  /**
   * Marks what was taken, and what is smallest if the result is not smaller: with settings of one's own it may be. Before all sizes are
   * known, the mark would move from one to the next.
   */
  update() {
    const { result } = this.#item;
    const made = JSON.stringify(this.#item.made);
    const taken = this.entries.find(({ call }) => JSON.stringify(call) === made);
    if (taken) Object.assign(taken, { bytes: result.outputSize, exact: true });
    const sizes = this.entries.map(({ bytes }) => bytes);
    const least = sizes.includes(undefined) ? undefined : Math.min(result?.outputSize ?? Infinity, ...sizes);
    for (const entry of this.entries) {
      const { button, bytes } = entry;
      button.setAttribute("aria-pressed", entry === taken);
      const isSmallest = least !== undefined && bytes === least;
      button.toggleAttribute("data-smallest", isSmallest);
      if (bytes !== undefined) this.#label(entry, this.#savings || isSmallest);
    }
    if (this.#wanted !== this.#item.call) this.#wanted = undefined;
    if (!this.#wanted || least === undefined) return;
    this.#wanted = undefined;
    this.entries.find(({ bytes }) => bytes === least)?.button.click();
  }

  #label({ button, name, bytes, exact }, withSaving) {
    const size = exact ? formatSize(bytes) : text.compare.about(formatSize(bytes));
    const saving = `(${formatSaving(this.#item.file.size, bytes).number})`;
    button.replaceChildren(`${name} `, figure(size), ...(withSaving ? [" ", figure(saving)] : []));
  }
}

/** Figures read from left to right in each language. */
const figure = (textContent) => Object.assign(document.createElement("bdi"), { dir: "ltr", textContent });
