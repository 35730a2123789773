// The card of one file: text is set as text, never as markup. Each state has its parts by the style sheet, in the same room.
import { canRetry, fault } from "./errors.js";
import { service } from "./service.js";
import { createSketch } from "./preview.js";
import { createTypeList } from "./format-select.js";
import { duration, phases, saving, size } from "./formatting.js";

const template = document.getElementById("card");
/** The parts, by what their class is. */
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
  "card-remarks",
  "card-progress",
];

/**
 * Makes the card of an item and keeps it up to date.
 * @param {{ compare(), agree(), remove() }} on what its buttons do beyond the item itself.
 * @returns {{ element: HTMLElement, dispose() }}
 */
export function createCard(item, on) {
  const element = template.content.firstElementChild.cloneNode(true);
  const part = Object.fromEntries(PARTS.map((name) => [name, element.querySelector(`.${name}`)]));
  const { file } = item;
  let download;
  let linked;

  part["card-name"].textContent = file.name;
  part["card-name"].title = file.name;
  part["card-to"].setAttribute("aria-label", `Type of ${file.name}`);
  const sketch = createSketch(part.thumb, file);
  const offer = createTypeList(part["card-arrow"], part["card-to"]);
  for (const [name, verb] of [
    ["compare", "Compare"],
    ["save", "Download"],
    ["again", "Retry"],
    ["cancel", "Cancel"],
    ["remove", "Remove"],
  ]) {
    part[name].setAttribute("aria-label", `${verb} ${file.name}`);
    part[name].title = verb;
  }
  part.compare.addEventListener("click", on.compare);
  part.agree.addEventListener("click", on.agree);
  part.again.addEventListener("click", () => item.retry());
  part.cancel.addEventListener("click", () => item.cancel());
  part.remove.addEventListener("click", on.remove);
  part["card-to"].addEventListener("change", () => item.choose(part["card-to"].value));
  item.addEventListener("change", render);
  render();

  return { element, dispose: () => URL.revokeObjectURL(download) };

  function render() {
    const { activeElement } = document;
    const { state, facts, progress, result, error } = item;
    element.dataset.state = state;
    element.dataset.kind = facts?.class ?? "unknown";
    part["thumb-type"].textContent = file.name.includes(".") ? file.name.split(".").pop().slice(0, 4) : "?";
    part["card-from"].textContent = facts?.name ?? "";
    part["card-status"].textContent = words();
    part["card-progress"].value = state === "working" ? progress.ratio : 0;
    part["card-progress"].setAttribute("aria-label", `Progress of ${file.name}`);
    part.agree.firstElementChild.textContent = state === "lacking" ? "Set up a service" : "Allow…";
    part.agree.setAttribute(
      "aria-label",
      state === "lacking" ? `Set up a service for ${file.name}` : `Allow to send ${file.name}`,
    );
    part["card-sizes"].textContent = result ? `${size(result.inputSize)} → ${size(result.outputSize)}` : size(file.size);
    const { number, outcome } = result ? saving(result.inputSize, result.outputSize) : { number: "", outcome: "" };
    part["card-saved"].textContent = number;
    element.dataset.outcome = outcome;
    part["thumb-icon"].firstElementChild.setAttribute("href", `#i-${facts?.class ?? "file"}`);
    offer(item);
    sketch(item);
    link(result);
    remark(result);
    part.again.hidden = !(state === "cancelled" || (state === "failed" && canRetry(error)));
    element.dataset.fault = error?.kind ?? "";
    if (error) part["card-status"].title = error.code ?? error.name;
    else part["card-status"].removeAttribute("title");
    lead(activeElement);
  }

  /** A button that goes with its state while it has the focus leaves it to the next one, so that keys stay on this card. */
  function lead(focused) {
    if (!element.contains(focused) || isShown(focused)) return;
    const next = ["save", "cancel", "again", "agree", "remove"].find((name) => isShown(part[name]));
    part[next].focus();
  }

  function words() {
    const { state, call, progress, retried, result, ms, error } = item;
    if (state === "reading") return phases.wait;
    if (state === "working" && call.remote && progress.phase !== "wait") return atService(progress.phase, retried);
    if (state === "working") return phases[progress.phase] ?? progress.phase;
    if (state === "done")
      return `${item.host ? `By ${item.host}` : "On this device"} · ${duration(ms)}`;
    if (state === "asking") return `Nothing was sent yet: this would go to ${service.host}.`;
    if (state === "lacking" && error) return `${fault(error)} A service may take more.`;
    if (state === "lacking") return "This needs a service, and none is set up.";
    return state === "cancelled" ? "Cancelled" : fault(error);
  }

  function atService(phase, retried) {
    if (retried) return `Trying again: ${service.host} is busy, or cannot be reached`;
    return phase === "load" ? `Asking ${service.host}` : phases[phase];
  }

  function link(result) {
    if (result?.blob === linked) return;
    URL.revokeObjectURL(download);
    linked = result?.blob;
    download = result && URL.createObjectURL(result.blob);
    if (!result) return part.save.removeAttribute("href");
    Object.assign(part.save, { href: download, download: result.name });
  }

  function remark(result) {
    const fits = result?.inputSize <= item.call?.options.targetSize;
    const why = fits ? "It fits already: nothing was done." : "Coding it again gained nothing: it is as small as it was.";
    const kept = result?.keptOriginal ? [why] : [];
    const remarks = [...kept, ...(result?.warnings ?? []).map(({ message }) => message)];
    part["card-remarks"].hidden = remarks.length === 0;
    part["card-remarks"].firstElementChild.textContent = remarks.length === 1 ? "1 remark" : `${remarks.length} remarks`;
    const lines = remarks.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
    part["card-remarks"].lastElementChild.replaceChildren(...lines);
  }
}

const isShown = (node) => node.getClientRects().length > 0;
