// What a result lost, in the visitor's words: losses stand on the card, and so does why an original was kept; notes are behind a fold.
import { formatSize } from "./formatting.js";
import { text } from "./text.js";

const words = text.losses;

/** By code of the package's warnings. */
const LOSSES = {
  animation_dropped: () => words.animation,
  pages_dropped: () => words.pages,
  resized_to_fit: ({ width, height }, { targetSize }) => words.resized(width, height, targetSize && formatSize(targetSize)),
  colors_reduced: ({ type }, { colors = 256 }) => (["image/png", "image/gif"].includes(type) ? words.palette(colors) : words.colors),
  alpha_flattened: () => words.alpha,
  gain_map_dropped: () => words.hdr,
  light_clipped: () => words.light,
  larger_than_input: () => words.larger,
  score_unreached: () => words.score,
};
const NOTES = {
  metadata_dropped: words.metadata,
  depth_reduced: words.depth,
  color_converted: words.color,
  tone_mapped: words.tones,
  animation_kept: words.frames,
  option_ignored: words.ignored,
  worker_unavailable: words.thread,
  over_local_limit: words.server,
};

/** Losses of a result that the visitor asked for: texts, most important first. `call` is the call that made it. */
export function lossesOf(result, call) {
  const codes = result.warnings.map(({ code }) => code);
  // The package gives no warning of a limit that it was asked to keep.
  if (call.options.colors && !result.keptOriginal) codes.push("colors_reduced");
  return Object.keys(LOSSES)
    .filter((code) => codes.includes(code))
    .map((code) => LOSSES[code](result, call.options));
}

/** Whether what was lost is more than bytes, so that the result does not count as a saving. */
export const isStill = (result) => result.warnings.some(({ code }) => code === "animation_dropped" || code === "pages_dropped");

/** What else is to be said of a result. The messages of a server are its own. */
export function notesOf(result) {
  const others = result.warnings
    .filter(({ code }) => !Object.hasOwn(LOSSES, code))
    .map(({ code, message }) => NOTES[code] ?? (result.engine === "remote" ? message : words.other));
  return [...new Set(others)];
}

/** Why a result is the original, or the original without its metadata; undefined if it is not. */
export function keptReason({ keptOriginal, inputSize, outputSize }, { options }) {
  if (!keptOriginal) return undefined;
  const { fits, fitsCleaned, optimized, optimizedCleaned } = text.card;
  const cleaned = outputSize < inputSize;
  if (options.targetSize) return cleaned ? fitsCleaned : fits;
  return cleaned ? optimizedCleaned : optimized;
}
