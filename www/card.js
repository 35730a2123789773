// The card of one file. Text is set as textContent, never as markup. The style sheet shows the parts that belong to each state.
import { statusText } from "./card-status.js";
import { canRetry } from "./errors.js";
import { isShown } from "./focus.js";
import { createFormatSelect } from "./format-select.js";
import { formatName, formatSaving, formatSize } from "./formatting.js";
import { isStill, lossesOf, notesOf } from "./losses.js";
import { dragOut } from "./handover.js";
import { atRest, near } from "./near.js";
import { createPreview } from "./preview.js";
import { canShrink, couldKeepHdr, SHRUNK } from "./plan.js";
import { resultName } from "./result-name.js";
import { soon } from "./slices.js";
import { text } from "./text.js";

const template = document.getElementById("card");
/** Class names of the parts. */
const PARTS = [
  "thumb",
  "thumb-icon",
  "thumb-type",
  "card-name",
  "card-from",
  "card-arrow",
  "card-to",
  "keep-hdr",
  "card-offers",
  "card-status",
  "card-saved",
  "card-sizes",
  "compare",
  "save",
  "agree",
  "shrink",
  "again",
  "cancel",
  "remove",
  "card-notes",
  "card-progress",
];
const words = text.card;
/** Tooltips of the buttons, which are labeled with the name of the file as well. */
const { compare, download, retry, cancel, remove } = text.page;
const TOOLTIPS = { compare, save: download, again: retry, cancel, remove };
/** About so many characters at the end of a long name stay visible; what looks like one is not cut, such as an emoji, if the browser knows it. */
const TAIL = 10;
const characters = Intl.Segmenter && new Intl.Segmenter();

/** The card of an item, which follows the item's changes. */
export class Card {
  /** The root of the card. */
  element = template.content.firstElementChild.cloneNode(true);
  #part = Object.fromEntries(PARTS.map((name) => [name, this.element.querySelector(`.${name}`)]));
  #item;
  #preview;
  /** Shows the formats to choose from, once the card is near the screen. */
  #chooseFormat;
  #render = () => this.#show();
  #offerFormats = () => {
    this.#chooseFormat = createFormatSelect(this.#part["card-arrow"], this.#part["card-to"]);
    this.#chooseFormat(this.#item);
    this.#part["card-arrow"].append(this.#part["card-to"]);
  };
  /** Whether the card has been near the screen. Until then it can wait. */
  #isNear = false;
  /** URL of the result, and the Blob that it belongs to. */
  #download;
  #linked;

  /** @param {{ compare(), agree(), remove() }} on handlers of buttons that do not only concern the item. */
  constructor(item, on) {
    const { file } = item;
    const part = this.#part;
    this.#item = item;
    const arrival = near(this.element);
    arrival.then(() => this.#arrive());
    this.#preview = createPreview(part.thumb, file, arrival);
    this.#label(file);
    part.compare.addEventListener("click", on.compare);
    part.agree.addEventListener("click", on.agree);
    part.again.addEventListener("click", () => item.retry());
    part.cancel.addEventListener("click", () => item.cancel());
    part.remove.addEventListener("click", on.remove);
    part.shrink.addEventListener("click", () => item.adjust({ shrink: SHRUNK }));
    part["keep-hdr"].addEventListener("click", () => item.adjust({ hdr: true }));
    part.save.addEventListener("click", () => item.markSaved(item.result));
    for (const handle of [part.save, part.thumb]) dragOut(handle, () => this.#draggable());
    part["card-to"].addEventListener("change", () => item.adjust({ to: part["card-to"].value || undefined }));
    item.addEventListener("change", () => {
      if (this.#isNear) return this.#show();
      this.element.dataset.state = item.state;
      soon(this.#render);
    });
    // It takes long to make, and browsers look at all fields of a page again and again, to fill them in.
    part["card-to"].remove();
    this.#show();
  }

  /** The place for formats that are offered. */
  get offers() {
    return this.#part["card-offers"];
  }

  /** Releases the result. */
  dispose() {
    URL.revokeObjectURL(this.#download);
  }

  /** Sets the texts that name the file. */
  #label(file) {
    const name = formatName(file.name);
    const part = this.#part;
    const tail = name.length - TAIL;
    const cut = tail > TAIL ? (characters?.segment(name).containing(tail).index ?? tail) : name.length;
    part["card-name"].replaceChildren(span("card-stem", name.slice(0, cut)), span("card-tail", name.slice(cut)));
    part["card-name"].title = name;
    part["thumb-type"].textContent = name.includes(".") ? name.split(".").pop().slice(0, 4) : "?";
    part["card-to"].setAttribute("aria-label", words.format(name));
    part["card-offers"].setAttribute("aria-label", words.offers(name));
    part["card-progress"].setAttribute("aria-label", words.progress(name));
    part["keep-hdr"].setAttribute("aria-label", words.keepHdr(name));
    part.shrink.textContent = words.shrink(SHRUNK);
    part.shrink.setAttribute("aria-label", words.shrinkFor(name, SHRUNK));
    for (const [button, tooltip] of Object.entries(TOOLTIPS)) {
      part[button].setAttribute("aria-label", words[button](name));
      part[button].title = tooltip;
    }
  }

  async #arrive() {
    this.#isNear = true;
    delete this.element.dataset.far;
    await atRest();
    soon(this.#offerFormats);
  }

  #show() {
    const { activeElement } = document;
    const part = this.#part;
    const { state, file, facts, progress, result, made, error } = this.#item;
    const { dataset } = this.element;
    dataset.state = state;
    dataset.kind = facts?.class ?? "unknown";
    dataset.error = error?.kind ?? "";
    dataset.result = result !== undefined;
    part["thumb-icon"].firstElementChild.setAttribute("href", `#i-${facts?.class ?? "file"}`);
    part["card-from"].textContent = facts?.name ?? "";
    this.#showStatus();
    if (error) part["card-status"].title = error.code ?? error.name;
    else part["card-status"].removeAttribute("title");
    part["card-progress"].value = state === "working" ? progress.ratio : 0;
    part.agree.firstElementChild.textContent = state === "no-server" ? words.setUp : words.allow;
    part.agree.setAttribute("aria-label", (state === "no-server" ? words.setUpFor : words.allowFor)(formatName(file.name)));
    part.shrink.hidden = !canShrink(facts, error);
    part.again.hidden = !(state === "canceled" || (state === "failed" && canRetry(error)));
    this.#chooseFormat?.(this.#item);
    this.#preview(this.#item);
    this.#showSizes(result);
    this.#link(result);
    this.#showNotes(result ? notesOf(result) : []);
    this.#keepFocus(activeElement);
  }

  /** What a finished file lost comes first, in amber. */
  #showStatus() {
    const { state, facts, result, made } = this.#item;
    const losses = state === "done" ? lossesOf(result, made) : [];
    this.element.dataset.explained = losses.length > 0 || (state === "done" && result.keptOriginal);
    const marked = losses.map((loss) => span("loss", loss));
    this.#part["card-status"].replaceChildren(...marked, span("", statusText(this.#item)));
    this.#part["keep-hdr"].hidden = !(state === "done" && couldKeepHdr(facts, result, made));
  }

  #showSizes(result) {
    const part = this.#part;
    const { file } = this.#item;
    const { number, outcome } = result ? formatSaving(file.size, result.outputSize) : { number: "", outcome: "" };
    const sizes = result ? [file.size, result.outputSize] : [file.size];
    part["card-sizes"].textContent = sizes.map(formatSize).join(" → ");
    part["card-saved"].textContent = number;
    this.element.dataset.outcome = result && isStill(result) ? "lost" : outcome;
  }

  /** If the focused button was hidden by the change of state, moves the focus to another button of this card. */
  #keepFocus(focused) {
    if (!this.element.contains(focused) || isShown(focused)) return;
    const next = ["save", "cancel", "again", "shrink", "agree", "remove"].find((name) => isShown(this.#part[name]));
    this.#part[next].focus();
  }

  /** The result as a drag carries it. */
  #draggable() {
    const { result } = this.#item;
    return result && { url: this.#download, type: result.blob.type, name: resultName(this.#item) };
  }

  #link(result) {
    const { save, thumb } = this.#part;
    thumb.draggable = result !== undefined;
    if (!result) return save.removeAttribute("href");
    save.download = resultName(this.#item);
    if (result.blob === this.#linked) return;
    URL.revokeObjectURL(this.#download);
    this.#linked = result.blob;
    this.#download = URL.createObjectURL(result.blob);
    save.href = this.#download;
  }

  #showNotes(texts) {
    const notes = this.#part["card-notes"];
    notes.hidden = texts.length === 0;
    notes.firstElementChild.textContent = words.notes(texts.length);
    const lines = texts.map((line) => Object.assign(document.createElement("li"), { textContent: line }));
    notes.lastElementChild.replaceChildren(...lines);
  }
}

const span = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });
