// Counts what a visitor does: keys that are pressed, each Tab on the way to a control as well, and taps. What the system's own dialogs
// ask for (which file, which folder) is the same for every page, and is not counted.
import { until } from "../../package/support/until.mjs";

export class Steps {
  #page;
  #choosers = [];
  /** What was done, in order. */
  done = [];

  /** From here on the system's dialog for files is answered by `choose`. */
  constructor(page) {
    this.#page = page;
    page.on("filechooser", (chooser) => this.#choosers.push(chooser));
  }

  get count() {
    return this.done.length;
  }

  async keys(...keys) {
    for (const key of keys) {
      this.done.push(key);
      await this.#page.keyboard.press(key);
    }
  }

  async tap(selector) {
    this.done.push(selector);
    await this.#page.locator(selector).first().tap();
  }

  /** Takes an option of a select, which the system shows: a tap opens it, another one takes the option. */
  async pick(selector, value) {
    await this.tap(selector);
    this.done.push(value);
    await this.#page.locator(selector).first().selectOption(value);
  }

  /** Answers the dialog for files that a step has opened. */
  async choose(files) {
    const chooser = await until(() => this.#choosers.pop());
    await chooser.setFiles(files);
  }
}
