// Finds what leaves its box in a page that is narrow.

/** Runs in the page: elements whose rectangle leaves that of their box, and whether the page scrolls sideways. */
export function outside() {
  const found = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
  for (const box of document.querySelectorAll(".card, .summary, .drop, .masthead")) {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    for (const element of box.querySelectorAll("*")) {
      const own = element.getBoundingClientRect();
      if (own.width === 0 || element.closest(".unseen, .thumb, svg, progress, .card-stem, .card-offers button")) continue;
      if (own.left < left - 1 || own.right > right + 1 || own.top < top - 1 || own.bottom > bottom + 1)
        found.push(`${element.tagName}.${element.className || element.id}`);
    }
  }
  return found;
}
