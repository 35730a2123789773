// The formats that suit most pictures, and how many bytes a picture has in each. What is encoded for that is kept, so that taking it
// costs nothing more.
import { filepress } from "../package.js";
import { recall, remember } from "../result-cache.js";
import { text } from "../text.js";

/** Changes of a file's own settings that leave the quality to the format. */
const usual = { aim: undefined, quality: undefined, kilobytes: undefined, lossless: false };
/** `own` are the settings of a file that takes the offer; `alpha` and `animation` say whether the format has them. */
const OFFERS = [
  { name: "JPEG", own: { ...usual, to: "image/jpeg" }, alpha: false },
  { name: "WebP", own: { ...usual, to: "image/webp" }, alpha: true, animation: true },
  { name: "AVIF", own: { ...usual, to: "image/avif" }, alpha: true },
  { name: text.compare.palette, own: { ...usual, to: "image/png", aim: "manual", quality: 100 }, alpha: true },
];
/** Pictures with more pixels are estimated by a smaller copy, with sides of at most so many pixels. */
export const EXACT_PIXELS = 4e6;
const COPY_SIDE = 1000;
/** Bytes grow more slowly than pixels, because large pictures have more in common with their neighborhood. */
const GROWTH = 0.85;

/** The offers that keep what a picture is: its transparency, and its movement. */
export const offersFor = ({ hasAlpha, frames }) =>
  OFFERS.filter(({ alpha, animation }) => (alpha || !hasAlpha) && (animation || !(frames > 1)));

/** Resolves to the size of an offer in bytes, and whether it is exact. */
export async function measure(item, { own }, signal) {
  const { file, source, facts } = item;
  const call = item.plan({ ...item.own, ...own });
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
