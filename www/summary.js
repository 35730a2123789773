// The line above the cards: how much was saved, how far it is, and all results in one ZIP file.
import { announce } from "./announce.js";
import { files, saving, size } from "./formatting.js";

const part = (id) => document.getElementById(id);

/** Keeps the line up to date with the list. `say` gets what went wrong. */
export function showSummary(list, say) {
  let wasOpen = 0;
  list.addEventListener("change", () => {
    const totals = list.totals();
    render(totals);
    if (totals.open === 0 && wasOpen > 0) announce(spoken(totals));
    else if (totals.open !== wasOpen && totals.count > 1)
      announce(`${totals.count - totals.open} of ${files(totals.count)} settled`);
    wasOpen = totals.open;
  });
  part("clear").addEventListener("click", () => {
    list.clear();
    part("file").focus();
  });
  part("zip").addEventListener("click", () =>
    save(list).catch(({ message }) => say(`The ZIP file could not be made: ${message}`)),
  );
}

function render(totals) {
  const { count, done, open, before, after, ratio } = totals;
  const { number, outcome } = saving(before, after);
  part("total-saved").textContent = done > 0 ? number : "–";
  part("summary").dataset.outcome = done > 0 ? outcome : "";
  part("total-words").textContent = done > 0 ? `${size(before)} → ${size(after)}` : "";
  const far = open > 0 ? `${count - open} of ${files(count)}` : files(count);
  part("total-count").textContent = [far, ...undone(totals)].join(", ");
  part("total-progress").value = open > 0 ? ratio : 0;
  part("total-progress").dataset.busy = open > 0;
  part("zip").disabled = done === 0;
}

/** What has no result and is not under way, by the reason: a file that waits does so for a service, or for leave to go there. */
function undone({ failed, cancelled, waiting }) {
  const counts = [
    [failed, "failed"],
    [cancelled, "cancelled"],
    [waiting, "waiting"],
  ];
  return counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
}

function spoken(totals) {
  const { done, before, after } = totals;
  const words = [done > 0 ? `${files(done)} done` : "Nothing done", ...undone(totals)].join(", ");
  return done > 0 ? `${words}: ${size(before)} became ${size(after)}, ${saving(before, after).number}.` : `${words}.`;
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
    // The download has taken hold of the blob long before.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } finally {
    button.disabled = list.in("done").length === 0;
  }
}
