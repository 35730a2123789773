// The summary above the cards: bytes saved, progress, and what can be done with all files at once.
import { announce } from "./announce.js";
import { failureMessage } from "./errors.js";
import { keepFocus } from "./focus.js";
import { formatSaving, formatSize } from "./formatting.js";
import { canSaveFolder, saveFolder, downloadAll } from "./save-all.js";
import { forEachInSlices } from "./slices.js";
import { text } from "./text.js";

const words = text.summary;
const { comma, files } = text.formatting;
const part = (id) => document.getElementById(id);
/** Milliseconds after which progress is announced though it is less than a tenth. */
const LONG = 30_000;
/** Whether results are being saved. */
let saving = false;

/** Keeps the summary up to date with the list. Errors are passed to `say`. */
export function showSummary(list, say) {
  const tell = createTeller();
  const update = () => {
    const totals = list.totals();
    keepFocus(part("summary-tools"), () => render(totals), ["retry-failed", "cancel-all", "filter", "clear"].map(part));
    tell(totals);
  };
  // Once for all events of a moment.
  let due = false;
  const updateSoon = () => {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      update();
    });
  };
  for (const event of ["change", "members"]) list.addEventListener(event, updateSoon);
  /** Saves all results by `way`, unless some are being saved. */
  const save = async (way, done, fail) => {
    if (saving) return;
    say("");
    saving = true;
    update();
    try {
      done(await saveAll(list, way));
    } catch (error) {
      fail(error);
    }
    saving = false;
    update();
  };
  part("zip").addEventListener("click", () => save(downloadAll, () => {}, (error) => say(failureMessage(error, words.zipFailed))));
  part("save-folder").hidden = !canSaveFolder;
  part("save-folder").addEventListener("click", () =>
    // Picking no folder is no failure.
    save(saveFolder, (count) => announce(words.folderSaved(count)), ({ name }) => name === "AbortError" || say(words.folderFailed)),
  );
  // The last ones first, so that none begins because one before it has ended.
  part("cancel-all").addEventListener("click", () => forEachInSlices(list.in("reading", "working").reverse(), (item) => item.cancel()));
  part("retry-failed").addEventListener("click", () => forEachInSlices(list.in("failed", "canceled"), (item) => list.has(item) && item.retry()));
}

function render(totals) {
  const { count, done, open, lost, failed, canceled, before, after, ratio } = totals;
  const counted = done > lost;
  const { number, outcome } = formatSaving(before, after);
  part("total-saved").textContent = counted ? number : "–";
  part("summary").dataset.outcome = counted ? outcome : "";
  part("total-words").textContent = counted ? `${formatSize(before)} → ${formatSize(after)}` : "";
  const far = open > 0 ? words.progress(count - open, count) : files(count);
  part("total-count").textContent = [far, ...countOthers(totals)].join(comma);
  part("total-progress").value = open > 0 ? ratio : 0;
  part("total-progress").dataset.busy = open > 0;
  for (const id of ["zip", "save-folder"]) {
    // A disabled button would lose the focus.
    part(id).ariaDisabled = String(saving);
    part(id).disabled = done === 0 && !saving;
  }
  part("cancel-all").hidden = open < 2;
  part("retry-failed").hidden = failed + canceled === 0;
  part("remove-failed").hidden = failed === 0;
  // Without them, nobody could show again what a filter hides.
  part("summary-tools").hidden = count < 2 && !part("sort").value && !part("filter").value;
}

/** Counts of files that are not in the figures, by reason. */
function countOthers(totals) {
  const reasons = ["failed", "canceled", "needConsent", "needServer", "lost"].filter((reason) => totals[reason] > 0);
  return reasons.map((reason) => words[reason](totals[reason]));
}

/** Announces progress in tenths, and the end. */
function createTeller() {
  let wasOpen = 0;
  let told = {};
  return (totals) => {
    const { open, count } = totals;
    const tenth = Math.floor((10 * (count - open)) / count);
    const now = performance.now();
    if (open === 0 && wasOpen > 0) announce(announcement(totals));
    else if (open !== wasOpen && count > 1 && (tenth !== told.tenth || now - told.at > LONG)) {
      told = { tenth, at: now };
      announce(words.announced(count - open, count));
    }
    wasOpen = open;
  };
}

function announcement(totals) {
  const { done, lost, before, after } = totals;
  const line = [done > 0 ? words.finished(done) : words.noneFinished, ...countOthers(totals)].join(comma);
  if (done === lost) return `${line}.`;
  return words.compressed(line, formatSize(before), formatSize(after), formatSaving(before, after).number);
}

/** Saves all results by `way`, and resolves to what it resolves to. */
async function saveAll(list, way) {
  const items = list.in("done");
  const results = items.map(({ result }) => result);
  const outcome = await way(items);
  for (const [index, item] of items.entries()) item.markSaved(results[index]);
  return outcome;
}
