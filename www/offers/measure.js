// The formats that suit most pictures, and how many bytes a picture has in each. What is encoded for that is kept, so that taking it
// costs nothing more.
import { isSampled, samples } from "../mosaic.js";
import { make } from "../package.js";
import { recall, remember } from "../result-cache.js";
import { text } from "../text.js";

/** Changes of a file's own settings that leave the quality to the format. */
const usual = { aim: undefined, quality: undefined, kilobytes: undefined, lossless: false };
/** `own` are the settings of a file that takes the offer; `alpha` and `animation` say whether the format has them. */
const OFFERS = [
  { name: "JPEG", own: { ...usual, to: "image/jpeg" }, alpha: false },
  { name: "WebP", own: { ...usual, to: "image/webp" }, alpha: true, animation: true },
  { name: "AVIF", own: { ...usual, to: "image/avif" }, alpha: true },
  { name: text.compare.palette, own: { ...usual, to: "image/png", aim: "manual", quality: 100, colors: Infinity }, alpha: true },
];
/** The most pixels that are encoded to know an exact size. */
export const EXACT_PIXELS = 4e6;
/** Side in pixels of the squares by which sizes are estimated. */
const SIDE = 160;

/** The offers that keep what a picture is: its transparency, and its movement. */
export const offersFor = ({ hasAlpha, frames }) =>
  OFFERS.filter(({ alpha, animation }) => (alpha || !hasAlpha) && (animation || !(frames > 1)));

/** The call for a file that takes an offer. */
export const callOf = (item, { own }) => item.plan({ ...item.own, ...own });

/** How many pixels a call encodes. */
export function pixelsOf({ facts }, call) {
  const { width, height } = sizeOf(facts, call);
  return width * height * (facts.frames ?? 1);
}

/** Whether the size of a call's result can be estimated without encoding all of its pixels. */
export const canEstimate = ({ facts }, call) => !(facts.frames > 1) && isSampled(sizeOf(facts, call), SIDE);

function sizeOf({ width, height }, { options: { resize } }) {
  const scale = resize ? Math.min(resize.maxWidth / width, resize.maxHeight / height, 1) : 1;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** The bytes of a call's result, if the call was made before. */
export const knownBytes = ({ file }, call) => recall(file, call)?.result.outputSize;

/** Makes a call, and resolves to the bytes of its result. */
async function measure(item, call, signal) {
  const known = knownBytes(item, call);
  if (known !== undefined) return known;
  const started = performance.now();
  const result = await make(item.source, call, { signal });
  remember(item.file, call, { result, ms: performance.now() - started });
  return result.outputSize;
}

/** A function that resolves to the bytes of calls for an item: exact, or estimated by one sample for all of them. */
export function createSizing(item, signal) {
  let estimate;
  return async (call, exact) => {
    if (exact) return measure(item, call, signal);
    estimate ??= await createEstimate(item, call, signal);
    return estimate(call);
  };
}

/**
 * Resolves to a function that estimates the bytes of a call's result, by a sample of the picture. How much the result that is there has
 * by its own sample tells what the sample lacks.
 * @param call one of the calls that are estimated; it tells the size in pixels.
 */
async function createEstimate(item, call, signal) {
  const { source, facts, result, made } = item;
  const size = sizeOf(facts, call);
  const [sample] = await samples([source], size, SIDE, signal);
  const sampled = async ({ to = facts.type, options: { resize, metadata, animation, overlay, ...options } }) =>
    (await make(sample, { to, options }, { signal })).outputSize;
  const comparable = !result.keptOriginal && result.width === size.width && made.options.targetSize === undefined;
  const own = comparable ? await sampled(made).catch(() => undefined) : undefined;
  const factor = own ? result.outputSize / own : (size.width * size.height) / (sample.width * sample.height);
  return async (call) => Math.round((await sampled(call)) * factor);
}
