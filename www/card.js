// The card of one file. Text is set as textContent, never as markup. The style sheet shows the parts that belong to each state.
import { canRetry, errorMessage } from "./errors.js";
import { service } from "./service.js";
import { createPreview } from "./preview.js";
import { createFormatSelect } from "./format-select.js";
import { formatDuration, formatRemaining, formatSaving, formatSize, phases } from "./formatting.js";

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
  "card-status",
  "card-saved",
  "card-sizes",
  "compare",
  "save",
  "agree",
  "again",
  "cancel",
  "remove",
  "card-notes",
  "card-progress",
];
/** The remaining time is shown if it is more milliseconds than this. */
const LONG_MS = 2_000;
/** Labels of the buttons that name the file. */
const VERBS = { compare: "Compare", save: "Download", again: "Retry", cancel: "Cancel", remove: "Remove" };

/** The card of an item, which follows the item's changes. */
export class Card {
  /** The root of the card. */
  element = template.content.firstElementChild.cloneNode(true);
  #part = Object.fromEntries(PARTS.map((name) => [name, this.element.querySelector(`.${name}`)]));
  #item;
  #preview;
  #offer;
  /** URL of the result, and the Blob that it belongs to. */
  #download;
  #linked;

  /** @param {{ compare(), agree(), remove() }} on handlers of buttons that do not only concern the item. */
  constructor(item, on) {
    const { file } = item;
    const part = this.#part;
    this.#item = item;
    this.#preview = createPreview(part.thumb, file);
    this.#offer = createFormatSelect(part["card-arrow"], part["card-to"]);
    this.#label(file);
    part.compare.addEventListener("click", on.compare);
    part.agree.addEventListener("click", on.agree);
    part.again.addEventListener("click", () => item.retry());
    part.cancel.addEventListener("click", () => item.cancel());
    part.remove.addEventListener("click", on.remove);
    part["card-to"].addEventListener("change", () => item.choose(part["card-to"].value));
    item.addEventListener("change", () => this.#render());
    this.#render();
  }

  /** Releases the result. */
  dispose() {
    URL.revokeObjectURL(this.#download);
  }

  /** Sets the texts that name the file. */
  #label({ name }) {
    const part = this.#part;
    part["card-name"].textContent = name;
    part["card-name"].title = name;
    part["thumb-type"].textContent = name.includes(".") ? name.split(".").pop().slice(0, 4) : "?";
    part["card-to"].setAttribute("aria-label", `Format of ${name}`);
    part["card-progress"].setAttribute("aria-label", `Progress of ${name}`);
    for (const [button, verb] of Object.entries(VERBS)) {
      part[button].setAttribute("aria-label", `${verb} ${name}`);
      part[button].title = verb;
    }
  }

  #render() {
    const { activeElement } = document;
    const part = this.#part;
    const { state, file, facts, progress, result, error } = this.#item;
    const { dataset } = this.element;
    dataset.state = state;
    dataset.kind = facts?.class ?? "unknown";
    dataset.error = error?.kind ?? "";
    part["thumb-icon"].firstElementChild.setAttribute("href", `#i-${facts?.class ?? "file"}`);
    part["card-from"].textContent = facts?.name ?? "";
    part["card-status"].textContent = statusText(this.#item);
    if (error) part["card-status"].title = error.code ?? error.name;
    else part["card-status"].removeAttribute("title");
    part["card-progress"].value = state === "working" ? progress.ratio : 0;
    part.agree.firstElementChild.textContent = state === "no-server" ? "Set up a server" : "Allow…";
    part.agree.setAttribute("aria-label", `${state === "no-server" ? "Set up a server for" : "Allow sending"} ${file.name}`);
    part.again.hidden = !(state === "canceled" || (state === "failed" && canRetry(error)));
    this.#offer(this.#item);
    this.#preview(this.#item);
    this.#showSizes(result);
    this.#link(result);
    this.#showNotes(result);
    this.#keepFocus(activeElement);
  }

  #showSizes(result) {
    const part = this.#part;
    const { number, outcome } = result ? formatSaving(result.inputSize, result.outputSize) : { number: "", outcome: "" };
    const sizes = result ? [result.inputSize, result.outputSize] : [this.#item.file.size];
    part["card-sizes"].textContent = sizes.map(formatSize).join(" → ");
    part["card-saved"].textContent = number;
    this.element.dataset.outcome = outcome;
  }

  /** If the focused button was hidden by the change of state, moves the focus to another button of this card. */
  #keepFocus(focused) {
    if (!this.element.contains(focused) || isShown(focused)) return;
    const next = ["save", "cancel", "again", "agree", "remove"].find((name) => isShown(this.#part[name]));
    this.#part[next].focus();
  }

  #link(result) {
    if (result?.blob === this.#linked) return;
    URL.revokeObjectURL(this.#download);
    this.#linked = result?.blob;
    this.#download = result && URL.createObjectURL(result.blob);
    if (!result) return this.#part.save.removeAttribute("href");
    Object.assign(this.#part.save, { href: this.#download, download: result.name });
  }

  #showNotes(result) {
    const notes = this.#part["card-notes"];
    const fits = result?.inputSize <= this.#item.call?.options.targetSize;
    const why = fits ? "The original already fits. It was kept." : "Compressing again did not make it smaller. The original was kept.";
    const kept = result?.keptOriginal ? [why] : [];
    const texts = [...kept, ...(result?.warnings ?? []).map(({ message }) => message)];
    notes.hidden = texts.length === 0;
    notes.firstElementChild.textContent = texts.length === 1 ? "1 note" : `${texts.length} notes`;
    const lines = texts.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
    notes.lastElementChild.replaceChildren(...lines);
  }
}

function statusText({ state, call, progress, retried, ms, host, error }) {
  if (state === "reading") return phases.wait;
  if (state === "working" && call.remote && progress.phase !== "wait") return serverStatus(progress.phase, retried);
  if (state === "working") return workText(progress);
  if (state === "done") return `${host ? `By ${host}` : "On this device"} · ${formatDuration(ms)}`;
  if (state === "needs-consent") return `Not sent yet. Needs your permission to send it to ${service.host}.`;
  if (state === "no-server" && error) return `${errorMessage(error)} A server may allow more.`;
  if (state === "no-server") return "This needs a server, and none is set up.";
  return state === "canceled" ? "Canceled" : errorMessage(error);
}

/** As in "Compressing, try 3 · 12 s left". */
function workText({ phase, attempt, remaining }) {
  const work = `${phases[phase] ?? phase}${attempt ? `, try ${attempt}` : ""}`;
  return remaining > LONG_MS ? `${work} · ${formatRemaining(remaining)} left` : work;
}

function serverStatus(phase, retried) {
  if (retried) return `Retrying: ${service.host} is busy or can’t be reached`;
  return phase === "load" ? `Connecting to ${service.host}` : phases[phase];
}

const isShown = (node) => node.getClientRects().length > 0;
