// The cards of the page, one for each item of the list, in the order and by the filter that the visitor chose.
import { lossesOf } from "./losses.js";
import { SLICE } from "./slices.js";

const part = (id) => document.getElementById(id);

/** Orders by name; without one, as files were added. */
const ORDERS = {
  name: (one, other) => one.path.localeCompare(other.path, undefined, { numeric: true }),
  size: (one, other) => other.file.size - one.file.size,
  saved: (one, other) => shareLeft(other) - shareLeft(one),
};
const FILTERS = {
  failed: ({ state }) => state === "failed",
  lost: ({ result, made }) => result !== undefined && lossesOf(result, made).length > 0,
  larger: (item) => shareLeft(item) >= 1,
};

/** The size of the result by that of the file; less than any if there is none. */
const shareLeft = ({ file, result }) => (result ? result.outputSize / Math.max(file.size, 1) : -1);

/**
 * @param {(item) => Card} create makes the card of an item.
 * @returns `card(item)`; `shown()`, the items in the order of their cards; `dispose(items)`.
 */
export function createCardList(list, create) {
  const place = part("cards");
  const cards = new Map();

  let going;
  let items = [];
  const show = () => {
    clearTimeout(going);
    if (list.items.length === 0) part("sort").value = part("filter").value = "";
    items = chosen(list.items);
    part("none-shown").hidden = items.length > 0 || list.items.length === 0;
    // Cards beyond a slice follow when the browser had time to draw these.
    const end = performance.now() + SLICE;
    const there = new Set(items);
    // Removed first, so that no card that stays has to move, which would take the focus from it.
    for (const [item, { element }] of cards) if (!there.has(item)) element.remove();
    let next = place.firstElementChild;
    for (const item of items) {
      if (!cards.has(item) && performance.now() > end) {
        going = setTimeout(show);
        return;
      }
      const { element } = card(item);
      if (element === next) next = next.nextElementSibling;
      else place.insertBefore(element, next);
    }
  };

  /** The card of an item. */
  function card(item) {
    if (!cards.has(item)) cards.set(item, create(item));
    return cards.get(item);
  }

  /** Frees the cards of items that are not used any more. */
  function dispose(items) {
    for (const item of items) {
      cards.get(item)?.dispose();
      cards.delete(item);
      item.dispose();
    }
  }

  let wasOpen = 0;
  list.addEventListener("members", show);
  list.addEventListener("change", () => {
    const { open } = list.totals();
    // Nothing moves while files are processed.
    if (open === 0 && wasOpen > 0 && (part("sort").value || part("filter").value)) show();
    wasOpen = open;
  });
  for (const id of ["sort", "filter"]) part(id).addEventListener("change", show);
  return { card, shown: () => items, dispose };
}

function chosen(items) {
  const filter = FILTERS[part("filter").value];
  const kept = filter ? items.filter(filter) : items;
  const order = ORDERS[part("sort").value];
  return order ? [...kept].sort(order) : kept;
}
