// The formats that suit most pictures, with their sizes: a row in the comparison, where one click takes one. They are encoded one
// after another while the comparison is open, those of a large picture only for a sample of it.
import { canEstimate, createSizing, EXACT_PIXELS, knownBytes, offersFor, pixelsOf } from "../offers/measure.js";
import { OfferRow } from "../offers/row.js";

const place = document.getElementById("compare-offers");
let row;

/** Shows the offers for an item until the signal aborts. */
export async function showOffers(item, signal) {
  const { facts, call } = item;
  const isPicture = facts.class === "image" && !call.remote && facts.width > 0;
  place.hidden = !isPicture;
  row = undefined;
  if (!isPicture) return;
  const shown = new OfferRow(place, item, offersFor(facts), true);
  row = shown;
  item.addEventListener("change", () => shown.update(), { signal });
  const size = createSizing(item, signal);
  for (const entry of [...shown.entries]) {
    const { call } = entry;
    const exact = knownBytes(item, call) !== undefined || pixelsOf(item, call) <= EXACT_PIXELS || !canEstimate(item, call);
    const bytes = await size(call, exact).catch(() => undefined);
    if (signal.aborted) return;
    if (bytes === undefined) shown.drop(entry);
    else shown.show(entry, bytes, exact);
  }
}

/** Takes the offer with the fewest bytes, as soon as all are measured. */
export function takeSmallest() {
  row?.takeSmallest();
}
