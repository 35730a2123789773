// The controls of the comparison: format, quality and size of the file that is shown, the ways to take its result away, and the way to
// use its settings for all files.
import { createFormatSelect } from "../format-select.js";
import { createCodecOptions } from "./codec-options.js";
import { statusText } from "../card-status.js";
import { formatSaving, formatSize } from "../formatting.js";
import { createHandoverButtons } from "./handover-buttons.js";
import { lossesOf } from "../losses.js";
import { say } from "./note.js";
import { resultName } from "../result-name.js";
import { text } from "../text.js";

const part = (id) => document.getElementById(id);
/** Debounce of changes in milliseconds. */
const DEBOUNCE = 300;

/** @param {() => void} useForAll is called by the button of that name. */
export function createControls(useForAll) {
  const [format, quality, kilobytes, save] = ["to", "quality", "kilobytes", "save"].map((name) => part(`compare-${name}`));
  const offer = createFormatSelect(part("compare-format"), format);
  let [item, url, linked] = [];
  const debounced = createDebounce();
  const adjust = (changes, wait) => {
    say("settings", "");
    debounced.adjust(item, changes, wait);
  };
  const showCodecOptions = createCodecOptions(adjust);

  format.addEventListener("change", () => adjust({ to: format.value || undefined }, 0));
  quality.addEventListener("input", () => {
    part("compare-quality-value").textContent = quality.value;
    kilobytes.value = "";
    adjust({ aim: "manual", quality: quality.valueAsNumber, kilobytes: undefined, lossless: false });
  });
  kilobytes.addEventListener("input", () => {
    if (kilobytes.value === "") adjust({ aim: undefined, kilobytes: undefined });
    else if (kilobytes.validity.valid) adjust({ aim: "size", kilobytes: kilobytes.valueAsNumber, lossless: false });
  });
  part("compare-controls").addEventListener("submit", (event) => event.preventDefault());
  part("compare-all").addEventListener("click", () => {
    debounced.flush();
    useForAll();
    say("settings", text.compare.usedForAll);
  });
  save.addEventListener("click", () => item.markSaved(item.result));
  const showHandover = createHandoverButtons(() => item);
  /** Shows the settings and the result of an item. A field that is being edited is left alone. */
  function show(next) {
    const other = next !== item;
    item = next;
    const { facts, result, call, own, outputs } = item;
    offer(item);
    const local = facts.class === "image" && !call.remote;
    const output = outputs.find(({ type }) => type === (call.to ?? facts.type));
    part("compare-quality-field").hidden = !local || !output?.quality;
    part("compare-kilobytes-field").hidden = !local;
    part("compare-all").hidden = !local;
    showHandover(item);
    showCodecOptions(item, local ? output : undefined);
    if (other || document.activeElement !== quality) quality.value = shownQuality(call, result);
    part("compare-quality-value").textContent = quality.value;
    if (other || document.activeElement !== kilobytes) kilobytes.value = own.kilobytes ?? "";
    showResult();
  }

  function showResult() {
    const { result } = item;
    describe(item);
    if (result.blob === linked) return;
    URL.revokeObjectURL(url);
    linked = result.blob;
    url = URL.createObjectURL(linked);
    Object.assign(save, { href: url, download: resultName(item) });
  }

  return { show };
}

/** Says how large the result is, or why there is no new one: what is shown and saved then is the last one. */
function describe(item) {
  const { state, file, result, made } = item;
  const [size, losses] = [part("compare-size"), part("compare-losses")];
  const { number, outcome } = formatSaving(file.size, result.outputSize);
  size.dataset.outcome = "";
  losses.textContent = "";
  if (state === "working") size.textContent = text.compare.working;
  else if (state === "done") {
    size.dataset.outcome = outcome;
    size.textContent = `${formatSize(result.outputSize)} (${number})`;
    losses.textContent = lossesOf(result, made).join(" · ");
  } else {
    size.textContent = "";
    losses.textContent = `${statusText(item)} ${text.compare.previous}`;
  }
}

/** `adjust` changes settings of an item after a pause without further changes of it, `flush` at once what still waits for that. */
function createDebounce() {
  let [timer, waiting, changes] = [];
  const apply = () => {
    clearTimeout(timer);
    waiting?.adjust(changes);
    waiting = undefined;
  };
  const adjust = (item, more, wait = DEBOUNCE) => {
    if (waiting !== item) apply();
    clearTimeout(timer);
    changes = waiting ? { ...changes, ...more } : more;
    waiting = item;
    timer = setTimeout(apply, wait);
  };
  return { adjust, flush: apply };
}

/** Where the slider stands. "auto" is no position: the quality that it found is. */
function shownQuality({ options }, result) {
  const asked = typeof options.quality === "number" ? options.quality : undefined;
  return asked ?? result?.quality ?? 100;
}
