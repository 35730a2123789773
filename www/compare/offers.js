// The formats that suit most pictures, with their sizes: a row in the comparison, where one click takes one. They are encoded one
// after another while the comparison is open; results are kept, so that taking one costs nothing more.
import { formatSaving, formatSize } from "../formatting.js";
import { measure, offersFor } from "../offers/measure.js";
import { text } from "../text.js";

const words = text.compare;
const place = document.getElementById("compare-offers");
/** Shows the offers for an item until the signal aborts. */
export async function showOffers(item, signal) {
  place.replaceChildren();
  const { facts, call } = item;
  const isPicture = facts.class === "image" && !call.remote && facts.width > 0;
  place.hidden = !isPicture;
  if (!isPicture) return;
  const buttons = offersFor(facts).map((offer) => [offer, addButton(offer, item)]);
  const found = [];
  for (const [offer, button] of buttons) {
    const size = await measure(item, offer, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!size) button.remove();
    else {
      label(button, offer, size, item);
      found.push([button, size.bytes]);
    }
    markSmallest(found);
  }
}

/** Takes the offer with the fewest bytes of those that are measured already. */
export function takeSmallest() {
  place.querySelector("[data-smallest]")?.click();
}

function addButton({ name, own }, item) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button plain small", textContent: `${name} …` });
  button.addEventListener("click", () => item.adjust(own));
  place.append(button);
  return button;
}

function label(button, { name }, { bytes, exact }, { file }) {
  const size = exact ? formatSize(bytes) : words.about(formatSize(bytes));
  // Figures read from left to right in each language.
  const figures = Object.assign(document.createElement("bdi"), { dir: "ltr", textContent: `${size} (${formatSaving(file.size, bytes).number})` });
  button.replaceChildren(`${name} `, figures);
}

function markSmallest(found) {
  const least = Math.min(...found.map(([, bytes]) => bytes));
  for (const [button, bytes] of found) button.toggleAttribute("data-smallest", bytes === least);
}
