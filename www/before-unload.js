// Asks before the page is left while files are processed, or while there are results that were not downloaded.

export function askBeforeLeaving(list) {
  addEventListener("beforeunload", (event) => {
    const { open } = list.totals();
    if (open > 0 || list.in("done").some(({ saved }) => !saved)) event.preventDefault();
  });
}
