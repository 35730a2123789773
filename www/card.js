// The card of one file. Text is set as textContent, never as markup. The style sheet shows the parts that belong to each state.
import { canRetry, errorMessage } from "./errors.js";
import { service } from "./service.js";
import { createPreview } from "./preview.js";
import { createFormatSelect } from "./format-select.js";
import { formatDuration, phases, formatSaving, formatSize } from "./formatting.js";

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

/**
 * Creates the card of an item and keeps it up to date.
 * @param {{ compare(), agree(), remove() }} on handlers of buttons that do not only concern the item.
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
  part["card-to"].setAttribute("aria-label", `Format of ${file.name}`);
  const preview = createPreview(part.thumb, file);
  const offer = createFormatSelect(part["card-arrow"], part["card-to"]);
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
    part["card-status"].textContent = statusText();
    part["card-progress"].value = state === "working" ? progress.ratio : 0;
    part["card-progress"].setAttribute("aria-label", `Progress of ${file.name}`);
    part.agree.firstElementChild.textContent = state === "no-server" ? "Set up a server" : "Allow…";
    part.agree.setAttribute(
      "aria-label",
      state === "no-server" ? `Set up a server for ${file.name}` : `Allow sending ${file.name}`,
    );
    part["card-sizes"].textContent = result ? `${formatSize(result.inputSize)} → ${formatSize(result.outputSize)}` : formatSize(file.size);
    const { number, outcome } = result ? formatSaving(result.inputSize, result.outputSize) : { number: "", outcome: "" };
    part["card-saved"].textContent = number;
    element.dataset.outcome = outcome;
    part["thumb-icon"].firstElementChild.setAttribute("href", `#i-${facts?.class ?? "file"}`);
    offer(item);
    preview(item);
    link(result);
    showNotes(result);
    part.again.hidden = !(state === "canceled" || (state === "failed" && canRetry(error)));
    element.dataset.error = error?.kind ?? "";
    if (error) part["card-status"].title = error.code ?? error.name;
    else part["card-status"].removeAttribute("title");
    keepFocus(activeElement);
  }

  /** If the focused button was hidden by the change of state, moves the focus to another button of this card. */
  function keepFocus(focused) {
    if (!element.contains(focused) || isShown(focused)) return;
    const next = ["save", "cancel", "again", "agree", "remove"].find((name) => isShown(part[name]));
    part[next].focus();
  }

  function statusText() {
    const { state, call, progress, retried, result, ms, error } = item;
    if (state === "reading") return phases.wait;
    if (state === "working" && call.remote && progress.phase !== "wait") return serverStatus(progress.phase, retried);
    if (state === "working") return phases[progress.phase] ?? progress.phase;
    if (state === "done")
      return `${item.host ? `By ${item.host}` : "On this device"} · ${formatDuration(ms)}`;
    if (state === "needs-consent") return `Not sent yet. Needs your permission to send it to ${service.host}.`;
    if (state === "no-server" && error) return `${errorMessage(error)} A server may allow more.`;
    if (state === "no-server") return "This needs a server, and none is set up.";
    return state === "canceled" ? "Canceled" : errorMessage(error);
  }

  function serverStatus(phase, retried) {
    if (retried) return `Retrying: ${service.host} is busy or can’t be reached`;
    return phase === "load" ? `Connecting to ${service.host}` : phases[phase];
  }

  function link(result) {
    if (result?.blob === linked) return;
    URL.revokeObjectURL(download);
    linked = result?.blob;
    download = result && URL.createObjectURL(result.blob);
    if (!result) return part.save.removeAttribute("href");
    Object.assign(part.save, { href: download, download: result.name });
  }

  function showNotes(result) {
    const fits = result?.inputSize <= item.call?.options.targetSize;
    const why = fits ? "The original already fits. It was kept." : "Compressing again did not make it smaller. The original was kept.";
    const kept = result?.keptOriginal ? [why] : [];
    const notes = [...kept, ...(result?.warnings ?? []).map(({ message }) => message)];
    part["card-notes"].hidden = notes.length === 0;
    part["card-notes"].firstElementChild.textContent = notes.length === 1 ? "1 note" : `${notes.length} notes`;
    const lines = notes.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
    part["card-notes"].lastElementChild.replaceChildren(...lines);
  }
}

const isShown = (node) => node.getClientRects().length > 0;
