// The summary above the cards: bytes saved, progress, and what can be done with all files at once.
import { announce } from "./announce.js";
import { failureMessage } from "./errors.js";
import { formatSaving, formatSize } from "./formatting.js";
import { canSaveFolder, saveFolder, downloadAll } from "./save-all.js";
import { forEachInSlices } from "./slices.js";
import { text } from "./text.js";

const words = text.summary;
const { comma, files } = text.formatting;
const part = (id) => document.getElementById(id);

/** Keeps the summary up to date with the list. Errors are passed to `say`. */
export function showSummary(list, say) {
  let wasOpen = 0;
  const update = () => {
    const totals = list.totals();
    render(totals);
    if (totals.open === 0 && wasOpen > 0) announce(announcement(totals));
    else if (totals.open !== wasOpen && totals.count > 1) announce(words.announced(totals.count - totals.open, totals.count));
    wasOpen = totals.open;
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
  part("zip").addEventListener("click", () => save(list, downloadAll).catch((error) => say(failureMessage(error, words.zipFailed))));
  part("save-folder").hidden = !canSaveFolder;
  part("save-folder").addEventListener("click", async () => {
    try {
      announce(words.folderSaved(await save(list, saveFolder)));
    } catch (error) {
      // Picking no folder is no failure.
      if (error.name !== "AbortError") say(words.folderFailed);
    }
  });
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
  for (const id of ["zip", "save-folder"]) part(id).disabled = done === 0;
  part("cancel-all").hidden = open < 2;
  part("retry-failed").hidden = failed + canceled === 0;
  part("remove-failed").hidden = failed === 0;
  part("summary-tools").hidden = count < 2;
}

/** Counts of files that are not in the figures, by reason. Files that wait need a server, or consent. */
function countOthers(totals) {
  const reasons = ["failed", "canceled", "waiting", "lost"].filter((reason) => totals[reason] > 0);
  return reasons.map((reason) => words[reason](totals[reason]));
}

function announcement(totals) {
  const { done, lost, before, after } = totals;
  const line = [done > 0 ? words.finished(done) : words.noneFinished, ...countOthers(totals)].join(comma);
  if (done === lost) return `${line}.`;
  return words.compressed(line, formatSize(before), formatSize(after), formatSaving(before, after).number);
}

/** Saves all results by `way`. */
async function save(list, way) {
  const buttons = [part("zip"), part("save-folder")];
  for (const button of buttons) button.disabled = true;
  const items = list.in("done");
  const results = items.map(({ result }) => result);
  try {
    const outcome = await way(items);
    for (const [index, item] of items.entries()) item.markSaved(results[index]);
    return outcome;
  } finally {
    for (const button of buttons) button.disabled = list.in("done").length === 0;
  }
}
