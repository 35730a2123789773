// Original and result of an item: pictures and pages of a PDF under a divider, video and audio in players, and the properties of
// both. While another result is made, the last one stays.
import { formatOf } from "../package.js";
import { errorMessage } from "../errors.js";
import { text } from "../text.js";
import { openPages } from "./pages.js";
import { paletteSize } from "./palette-size.js";
import { showFacts } from "./facts.js";
import { showPlayers } from "./players.js";
import { displayable } from "./displayable.js";
import { say } from "./note.js";
import { createOverlay } from "./overlay.js";

const words = text.compare;
const part = (id) => document.getElementById(id);

export class Sides {
  #overlay = createOverlay();
  /** Cleanup functions for the result that is shown. */
  #cleanups = [];
  #item;
  #drawn;
  /** Identifies the latest request for images. */
  #wanted;

  /** Begins with an item; `update` draws it. */
  open(item) {
    this.close();
    this.#item = item;
    this.#overlay.center();
  }

  /** Draws the result, if it is another one than before. */
  async update() {
    const { file, source, facts, result, made } = this.#item;
    if (!result || result === this.#drawn) return;
    this.#drawn = result;
    say("handover", "");
    const [output, colors] = await Promise.all([formatOf(result.type), paletteSize(result.blob)]);
    const own = { file, source, facts, result, colors, background: made.options.background, marked: made.options.overlay !== undefined };
    if (this.#drawn !== result) return;
    this.#clean();
    this.#cleanups.push(showFacts(own, output, (line) => say("score", line)));
    this.#draw(own, output);
  }

  close() {
    this.#drawn = undefined;
    say("handover", "");
    this.#clean();
    this.#overlay.clear();
  }

  #draw(own, output) {
    const { source, facts, result } = own;
    const kinds = [facts.class, output.class];
    const plays = kinds.some((kind) => kind === "video" || kind === "audio");
    part("overlay").hidden = plays;
    part("players").hidden = !plays;
    part("zoom-tools").hidden = plays;
    part("page-tools").hidden = true;
    const blobs = [source, result.blob];
    const players = blobs.map((blob, index) => ({ blob, kind: kinds[index] }));
    if (plays) this.#cleanups.push(showPlayers(part("players"), players, (line) => say("sides", line)));
    else if (kinds.includes("document")) this.#showPages(own, output);
    else if (facts.unread) this.#showDrawn(own);
    else this.#show(own, () => Promise.all(blobs.map(displayable)));
  }

  /** Fetches both sides and shows them, unless another result or page was requested in the meantime. */
  async #show({ result }, fetch) {
    const request = {};
    this.#wanted = request;
    const isCurrent = () => this.#drawn === result && this.#wanted === request;
    say("sides", words.loading);
    try {
      const blobs = await fetch();
      const urls = blobs.map((blob) => URL.createObjectURL(blob));
      const free = () => urls.forEach((url) => URL.revokeObjectURL(url));
      if (!isCurrent()) return free();
      this.#cleanups.push(free);
      await this.#overlay.show(...urls);
      if (isCurrent()) say("sides", "");
    } catch (error) {
      if (isCurrent()) say("sides", words.noPreview(errorMessage(error)));
    }
  }

  /** Shows an image that only the server reads as the server draws it. */
  #showDrawn(own) {
    const { draw, close } = openPages(own.result);
    this.#cleanups.push(close);
    this.#show(own, () => Promise.all([draw("input"), displayable(own.result.blob)]));
  }

  /** Shows PDF pages as images, rendered by the server, which already has both files. */
  #showPages(own, output) {
    const { source, facts, result } = own;
    const both = facts.class === output.class;
    const pages = openPages(result);
    const count = both ? (result.pages ?? 1) : 1;
    this.#cleanups.push(pages.close);
    let page = 1;
    const turn = (to) => {
      page = Math.min(Math.max(to, 1), count);
      part("page-value").textContent = words.page(page, count);
      part("page-prev").disabled = page === 1;
      part("page-next").disabled = page === count;
      const fetches = [
        () => (facts.class === "document" ? pages.draw("input", page) : displayable(source)),
        () => (output.class === "document" ? pages.draw("output", page) : displayable(result.blob)),
      ];
      this.#show(own, () => Promise.all(fetches.map((fetch) => fetch())));
    };
    part("page-tools").hidden = count === 1;
    part("page-prev").onclick = () => turn(page - 1);
    part("page-next").onclick = () => turn(page + 1);
    turn(1);
  }

  #clean() {
    for (const end of this.#cleanups) end();
    this.#cleanups = [];
    say("sides", "");
  }
}
