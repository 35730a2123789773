// A visitor of the demo page in an engine that has other drivers than Chromium: Firefox and WebKit.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../package/support/until.mjs";
import { serve } from "../../../scripts/serve.mjs";
import { HANDS } from "./hands.mjs";

export class EngineVisitor {
  #site;
  #launch;
  #browser;
  #downloads;
  #hands;
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

  /** Opens the page, or another one in place of it. */
  async visit() {
    await this.page?.close();
    this.page = await this.#browser.open(this.#site.url);
    // A catalog of texts may arrive after the page, and with it what listens to keys.
    await until(() => this.evaluate(() => document.readyState === "complete" && document.querySelector("#keys-list kbd") !== null));
    await this.evaluate(recordResults);
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

  /** Gives the page another size. */
  async resize(width, height) {
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

  /** Resolves to the cards when nothing is under way. With `count`, when there are as many. */
  async settled(count = 1) {
    await until(async () => {
      const cards = await this.cards();
      return cards.length >= count && cards.every(({ state }) => state !== "reading" && state !== "working");
    });
    return this.cards();
  }

  /** Resolves when the only card has a result with these words about what was lost. */
  finished(loss) {
    const isFinished = (loss) => {
      const card = document.querySelector(".card");
      return card?.dataset.state === "done" && (card.querySelector(".loss")?.textContent ?? "") === loss;
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
  async download(selector, name, read) {
    const path = join(this.#downloads, name);
    await this.page.click(selector);
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

  /** Closes it, and resolves when its pictures are gone. */
  async closeComparison() {
    await this.evaluate(() => document.getElementById("compare-close").click());
    await until(() => this.evaluate(() => document.querySelector(".layer img") === null));
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
