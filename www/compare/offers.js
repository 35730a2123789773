// The formats that suit most pictures, with their sizes: a row in the comparison, where one click takes one. They are encoded one
// after another while the comparison is open, those of a large picture only for a sample of it.
import { canEstimate, createSizing, EXACT_PIXELS, knownBytes, offersFor, pixelsOf } from "../offers/measure.js";
import { OfferRow } from "../offers/row.js";
import { text } from "../text.js";
import { say } from "./note.js";

const place = document.getElementById("compare-offers");
let row;
place.addEventListener("click", () => say("settings", ""));

/** Shows the offers for an item until the signal aborts. Other settings have other sizes. */
export function showOffers(item, signal) {
  const { facts, call } = item;
  const isPicture = facts.class === "image" && !call.remote && facts.width > 0;
  place.hidden = !isPicture;
  place.scrollLeft = 0;
  row = undefined;
  if (!isPicture) return;
  let filling = new AbortController();
  const begin = () => {
    filling.abort();
    filling = new AbortController();
    row = new OfferRow(place, item, offersFor(facts), true);
    fill(row, item, filling.signal);
  };
  begin();
  item.addEventListener("change", () => (row.holds ? row.update() : item.state === "done" && begin()), { signal });
  signal.addEventListener("abort", () => filling.abort());
}

async function fill(row, item, signal) {
  const size = createSizing(item, signal);
  for (const entry of [...row.entries]) {
    const { call } = entry;
    const exact = knownBytes(item, call) !== undefined || pixelsOf(item, call) <= EXACT_PIXELS || !canEstimate(item, call);
    const bytes = await size(call, exact).catch(() => undefined);
    if (signal.aborted) return;
    if (bytes === undefined) row.drop(entry);
    else row.show(entry, bytes, exact);
  }
}

/** Takes the offer with the fewest bytes, as soon as all are measured. */
export function takeSmallest() {
  if (row?.takeSmallest() === false) say("settings", text.compare.smallestSoon);
}
