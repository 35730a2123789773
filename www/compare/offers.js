// The formats that suit most pictures, with their sizes: a row in the comparison, where one click takes one. They are encoded one
// after another while the comparison is open, those of a large picture only for a sample of it.
import { canEstimate, createEstimate, knownBytes, measure, offersFor, pixelsOf } from "../offers/measure.js";
import { OfferRow } from "../offers/row.js";

/** Pictures with more pixels are estimated. */
const EXACT_PIXELS = 4e6;
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
  let estimate;
  for (const entry of [...shown.entries]) {
    const known = knownBytes(item, entry.call);
    const exact = known !== undefined || pixelsOf(item, entry.call) <= EXACT_PIXELS || !canEstimate(item, entry.call);
    const size = async () => {
      if (exact) return known ?? measure(item, entry.call, signal);
      estimate ??= await createEstimate(item, entry.call, signal);
      return estimate(entry.call);
    };
    const bytes = await size().catch(() => undefined);
    if (signal.aborted) return;
    if (bytes === undefined) shown.drop(entry);
    else shown.show(entry, bytes, exact);
  }
}

/** Takes the offer with the fewest bytes of those that are measured already. */
export function takeSmallest() {
  row?.takeSmallest();
}
