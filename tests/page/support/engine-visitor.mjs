// A visitor of the demo page in an engine that has other drivers than Chromium: Firefox and WebKit.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../package/support/until.mjs";
import { serve } from "../../../scripts/serve.mjs";
import { HANDS } from "./hands.mjs";
import { holdable } from "./held.mjs";

export class EngineVisitor {
  #site;
  #launch;
  #browser;
  #downloads;
  #hands;
  /** What the page was resized to. */
  #size;
  /** The page, as engines.mjs describes it. */
  page;

  /** @param {string} engine its name in engines.mjs. */
  constructor(engine) {
    this.#hands = HANDS[engine.split(" ")[0]];
  }

  /** Starts the browser, and opens the page. */
  async open(launch) {
    this.#site = await serve();
    this.#launch = launch;
    this.#downloads = await mkdtemp(join(tmpdir(), "filepress-downloads-"));
    this.#browser = await launch({ downloads: this.#downloads });
    await this.visit();
  }

  /** Opens the page, or another one in place of it; its own unless an address is given. */
  async visit(address = this.#site.url) {
    await this.page?.close();
    this.page = await this.#browser.open(address);
    // A catalog of texts may arrive after the page, and with it what listens to keys.
    await until(() => this.evaluate(() => document.readyState === "complete" && document.querySelector("#keys-list kbd") !== null));
    await this.evaluate(recordResults);
    // No worker is started before there is a file.
    await this.evaluate(holdable);
    // In Firefox each page has a size of its own.
    if (this.#size) await this.resize(...this.#size);
  }

  /**
   * Opens the page anew and wide, as a visitor finds it who was never there: what others did before leaves nothing. No idle time is told
   * to it, so that formats are offered only where a test waits for them in the comparison.
   */
  async begin() {
    await this.evaluate(() => {
      document.getElementById("clear").click();
      localStorage.clear();
      // Settings are stored a little after they are changed.
      Storage.prototype.setItem = () => {};
    });
    this.#size = [1200, 900];
    await this.visit();
    await this.evaluate(() => (globalThis.requestIdleCallback = () => 0));
  }

  /** Opens another page in place of the one before, in a browser that prefers this language. */
  async speak(language) {
    if (this.#hands.speak) await this.#hands.speak(this.page, language);
    else {
      await this.#browser.close();
      this.#browser = await this.#launch({ downloads: this.#downloads, language });
    }
    await this.visit();
  }

  async close() {
    await this.#browser.close();
    await this.#site.close();
    await rm(this.#downloads, { recursive: true, force: true });
  }

  /** Presses keys one after another. */
  press(...keys) {
    return this.#hands.press(this.page, ...keys);
  }

  drag(selector) {
    return this.#hands.drag(this.page, selector);
  }

  /** Clicks in an element, at a share of its width. */
  async clickAt(selector, share) {
    await this.#hands.click(this.page, ...(await this.#placeIn(selector, share)));
  }

  /** Moves the mouse to a share of an element's width, and presses its button there until `mouseUp`. */
  async mouseDown(selector, share) {
    await this.#hands.move(this.page, ...(await this.#placeIn(selector, share)));
    await this.#hands.down(this.page);
  }

  mouseUp() {
    return this.#hands.up(this.page);
  }

  /** A place in the window. Drivers take whole pixels. */
  #placeIn(selector, share) {
    const measure = ({ selector, share }) => {
      const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
      return [Math.round(left + width * share), Math.round(top + height / 2)];
    };
    return this.evaluate(measure, { selector, share });
  }

  /** From the one until the other no result reaches the page, so that its files stay under way. */
  holdResults() {
    return this.evaluate(() => globalThis.hold());
  }

  letResults() {
    return this.evaluate(() => globalThis.release());
  }

  /** Gives the page another size. */
  async resize(width, height) {
    this.#size = [width, height];
    await this.#hands.resize(this.page, width, height);
    await until(() => this.evaluate(({ width, height }) => innerWidth === width && innerHeight === height, { width, height }));
  }

  /** The text of an element. */
  text(selector) {
    return this.evaluate((selector) => document.querySelector(selector).textContent, selector);
  }

  evaluate(work, argument) {
    return this.page.evaluate(work, argument);
  }

  /** Chooses files, `{ name, buffer, path }`, in a field of the page; one with a path came in a folder. */
  choose(field, ...files) {
    return this.evaluate(chooseFiles, { field, files: files.map(encoded) });
  }

  add(...files) {
    return this.choose("file", ...files);
  }

  /** Adds files in the place of those before, with no settings. */
  async addAlone(...files) {
    await this.evaluate(() => {
      document.getElementById("clear").click();
      document.getElementById("preset-reset").click();
    });
    await this.add(...files);
  }

  /** What the cards say. */
  cards() {
    return this.evaluate(readCards);
  }

  /**
   * Resolves to the cards when nothing is under way, and results can be saved: a card that was not in view yet tells its state before
   * it shows the rest. With `count`, when there are as many.
   */
  async settled(count = 1) {
    await until(async () => {
      const cards = await this.cards();
      return cards.length >= count && cards.every(({ state, save }) => state !== "reading" && state !== "working" && (state !== "done" || save));
    });
    return this.cards();
  }

  /** Resolves when the card of a file is in a state. */
  async state(name, wanted) {
    await until(async () => (await this.cards()).find((card) => card.name === name)?.state === wanted);
  }

  /** Resolves when the only card has a result to save, with these words about what was lost. */
  finished(loss) {
    const isFinished = (loss) => {
      const card = document.querySelector(".card");
      return card?.dataset.state === "done" && card.querySelector(".save[href]") && (card.querySelector(".loss")?.textContent ?? "") === loss;
    };
    return until(() => this.evaluate(isFinished, loss));
  }

  /** The bytes of the first card's result. */
  async result() {
    return Buffer.from(await this.evaluate(readResult), "base64");
  }

  /** Takes an option of a select, or enters a value. */
  pick(id, value) {
    return this.evaluate(
      ({ id, value }) => {
        const field = document.getElementById(id);
        field.value = value;
        for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
      },
      { id, value },
    );
  }

  /** What `read` makes of the bytes of a file that a click brings, by its name. It rejects bytes that are not all there yet. */
  download(selector, name, read) {
    return this.saved(name, read, () => this.page.click(selector));
  }

  /** The same for what is not a click. */
  async saved(name, read, act) {
    const path = join(this.#downloads, name);
    await act();
    const outcome = await until(() => readFile(path).then(read).catch(() => undefined));
    // The next one of that name would get another name.
    await rm(path);
    return outcome;
  }

  /** Opens the comparison of the first card, and resolves when both pictures are there. */
  async compare() {
    await this.evaluate(() => document.querySelector(".compare").click());
    await until(() => this.evaluate(() => document.getElementById("compare").open && document.querySelectorAll(".layer img").length === 2));
  }

  /** Closes it, and resolves when its pictures are gone, and the focus, which WebKit takes from it only when it draws. */
  async closeComparison() {
    await this.evaluate(() => document.getElementById("compare-close").click());
    await until(() => this.evaluate(() => document.querySelector(".layer img, #compare :focus") === null));
  }
}

const encoded = ({ name, path, buffer }) => ({ name, path, base64: buffer.toString("base64") });

/** Browsers let no script write a path into a field, but a list of files. */
function chooseFiles({ field, files }) {
  const list = new DataTransfer();
  for (const { name, path, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const file = new File([bytes], name, { type: "image/jpeg" });
    if (path) Object.defineProperty(file, "webkitRelativePath", { value: path });
    list.items.add(file);
  }
  const input = document.getElementById(field);
  input.files = list.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

function readCards() {
  const read = (card) => ({
    name: card.querySelector(".card-name").title,
    state: card.dataset.state,
    sizes: card.querySelector(".card-sizes").textContent,
    save: card.querySelector(".save").download,
    thumbnail: card.querySelector(".thumb canvas") !== null,
  });
  return [...document.querySelectorAll(".card")].map(read);
}

/** Lets results be read from here on: the page's policy lets no script fetch them. */
function recordResults() {
  const { createObjectURL } = URL;
  globalThis.results = new Map();
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    globalThis.results.set(url, blob);
    return url;
  };
}

/** The bytes of the first card's result, in base64. */
function readResult() {
  const reader = new FileReader();
  reader.readAsDataURL(globalThis.results.get(document.querySelector(".card .save").href));
  return new Promise((resolve) => {
    reader.onload = () => resolve(reader.result.split(",")[1]);
  });
}
