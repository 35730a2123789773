// The formats that suit most pictures, with their sizes: a row in the comparison, where one click takes one. They are encoded one
// after another while the comparison is open; results are kept, so that taking one costs nothing more.
import { formatSaving, formatSize } from "../formatting.js";
import { filepress } from "../package.js";
import { recall, remember } from "../result-cache.js";
import { text } from "../text.js";

const words = text.compare;
const place = document.getElementById("compare-offers");
/** Settings of a file for each offer. */
const OFFERS = [
  { name: "JPEG", own: { to: "image/jpeg" }, alpha: false },
  { name: "WebP", own: { to: "image/webp" }, alpha: true, animation: true },
  { name: "AVIF", own: { to: "image/avif" }, alpha: true },
  { name: words.palette, own: { to: "image/png", aim: "manual", quality: 100 }, alpha: true },
];
/** Pictures with more pixels are estimated by a smaller copy, with sides of at most so many pixels. */
const EXACT_PIXELS = 4e6;
const COPY_SIDE = 1000;
/** Bytes grow more slowly than pixels, because large pictures have more in common with their neighborhood. */
const GROWTH = 0.85;

/** Shows the offers for an item until the signal aborts. */
export async function showOffers(item, signal) {
  place.replaceChildren();
  const { facts, call } = item;
  const isPicture = facts.class === "image" && !call.remote && facts.width > 0;
  place.hidden = !isPicture;
  if (!isPicture) return;
  const suits = ({ alpha, animation }) => (alpha || !facts.hasAlpha) && (animation || !(facts.frames > 1));
  const buttons = OFFERS.filter(suits).map((offer) => [offer, addButton(offer, item)]);
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
  button.addEventListener("click", () => item.adjust({ aim: undefined, quality: undefined, kilobytes: undefined, ...own }));
  place.append(button);
  return button;
}

function label(button, { name }, { bytes, exact }, { file }) {
  const size = exact ? formatSize(bytes) : words.about(formatSize(bytes));
  button.textContent = `${name} ${size} (${formatSaving(file.size, bytes).number})`;
}

function markSmallest(found) {
  const least = Math.min(...found.map(([, bytes]) => bytes));
  for (const [button, bytes] of found) button.toggleAttribute("data-smallest", bytes === least);
}

/** Resolves to the size of an offer in bytes, and whether it is exact. */
async function measure(item, { own }, signal) {
  const { file, source, facts } = item;
  const call = item.plan({ ...item.own, aim: undefined, quality: undefined, kilobytes: undefined, ...own });
  const known = recall(file, call);
  if (known) return { bytes: known.result.outputSize, exact: true };
  const { compress } = await filepress();
  const pixels = facts.width * facts.height;
  const options = { ...call.options, ...(call.to && { to: call.to }), signal };
  const started = performance.now();
  if (pixels <= EXACT_PIXELS) {
    const result = await compress(source, options);
    remember(file, call, { result, ms: performance.now() - started });
    return { bytes: result.outputSize, exact: true };
  }
  const copy = await compress(source, { ...options, to: call.to ?? facts.type, resize: { maxWidth: COPY_SIDE, maxHeight: COPY_SIDE } });
  const resize = call.options.resize;
  const scale = resize ? Math.min(resize.maxWidth / facts.width, resize.maxHeight / facts.height, 1) : 1;
  const growth = Math.max(1, (pixels * scale ** 2) / (copy.width * copy.height)) ** GROWTH;
  return { bytes: Math.round(copy.outputSize * growth), exact: false };
}
