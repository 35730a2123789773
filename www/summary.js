// The summary above the cards: bytes saved, progress, and all results as one ZIP file.
import { announce } from "./announce.js";
import { countFiles, formatSaving, formatSize } from "./formatting.js";

const part = (id) => document.getElementById(id);

/** Keeps the summary up to date with the list. Errors are passed to `say`. */
export function showSummary(list, say) {
  let wasOpen = 0;
  list.addEventListener("change", () => {
    const totals = list.totals();
    render(totals);
    if (totals.open === 0 && wasOpen > 0) announce(announcement(totals));
    else if (totals.open !== wasOpen && totals.count > 1)
      announce(`${totals.count - totals.open} of ${countFiles(totals.count)} finished`);
    wasOpen = totals.open;
  });
  part("clear").addEventListener("click", () => {
    list.clear();
    part("file").focus();
  });
  part("zip").addEventListener("click", () =>
    save(list).catch(({ message }) => say(`The ZIP file could not be created: ${message}`)),
  );
}

function render(totals) {
  const { count, done, open, before, after, ratio } = totals;
  const { number, outcome } = formatSaving(before, after);
  part("total-saved").textContent = done > 0 ? number : "–";
  part("summary").dataset.outcome = done > 0 ? outcome : "";
  part("total-words").textContent = done > 0 ? `${formatSize(before)} → ${formatSize(after)}` : "";
  const far = open > 0 ? `${count - open} of ${countFiles(count)}` : countFiles(count);
  part("total-count").textContent = [far, ...countUnfinished(totals)].join(", ");
  part("total-progress").value = open > 0 ? ratio : 0;
  part("total-progress").dataset.busy = open > 0;
  part("zip").disabled = done === 0;
}

/** Counts of files without a result, by reason. Files that wait need a server, or consent. */
function countUnfinished({ failed, canceled, waiting }) {
  const counts = [
    [failed, "failed"],
    [canceled, "canceled"],
    [waiting, "waiting"],
  ];
  return counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
}

function announcement(totals) {
  const { done, before, after } = totals;
  const words = [done > 0 ? `${countFiles(done)} finished` : "No file finished", ...countUnfinished(totals)].join(", ");
  return done > 0 ? `${words}: ${formatSize(before)} compressed to ${formatSize(after)}, ${formatSaving(before, after).number}.` : `${words}.`;
}

async function save(list) {
  const button = part("zip");
  button.disabled = true;
  try {
    const { zip } = await import("./zip.js");
    const blob = await zip(
      list.in("done").map(({ result, file }) => ({ name: result.name, input: result.blob, lastModified: file.lastModified })),
    );
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: "filepress.zip" });
    link.click();
    // By then the download has read the blob.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } finally {
    button.disabled = list.in("done").length === 0;
  }
}
