// Plans the call of the package for a file, from the settings and the file's properties. Options without effect are left out, so that
// equal plans mean equal results.

const LOSSLESS_AUDIO = ["audio/wav", "audio/flac"];
/** Constant rate factors (CRF): for H.264 and similar codecs, and for those of WebM. */
const CRF = { small: [30, 42], good: [19, 26] };

/** The package's limit of an image's pixels. */
const MAX_PIXELS = 100e6;
/** Pixels of the longest side to which an image beyond that limit is resized on demand. */
export const SHRUNK = 8192;

/** Whether an image that has too many pixels can be resized while it is read. */
export const canShrink = (facts, error) => error?.code === "too_many_pixels" && facts?.class === "image" && !(facts.frames > 1);

/**
 * @param settings as `readSettings` returns them.
 * @param facts of the file, as `recognize` returns them.
 * @param {object} [own] settings of this file only, as in `settings.image`; they take precedence.
 * @param {object[]} outputs entries of `formats()` that the file can be converted to.
 * @returns {{ to?: string, options: object, remote: boolean }} `to` is undefined if the format is kept.
 */
export function planCall(settings, facts, own, outputs) {
  const wanted = own.to ?? (settings[facts.class].to || facts.fallback);
  const find = (type) => outputs.find((format) => format.type === type);
  const to = wanted && wanted !== facts.type && find(wanted) ? wanted : undefined;
  const output = to ?? facts.type;
  const isImage = facts.class === "image" && output.startsWith("image/");
  const options = isImage ? imageOptions({ ...settings.image, ...own }, facts, find(output)) : remoteOptions(settings, facts, output);
  return { to, options, remote: !isImage || facts.unread !== undefined };
}

/** Whether the gain map of an HDR photo can be kept: only from JPEG to JPEG or AVIF. */
export const canKeepHdr = ({ type, hasGainMap }, output) =>
  hasGainMap === true && type === "image/jpeg" && ["image/jpeg", "image/avif"].includes(output?.type);

/** Whether a call gives its result a palette. What can be lossless has one only if fewer colors or a quality are asked for. */
export const hasPalette = (output, { lossless, colors, quality }) =>
  output.colors && !lossless && (!output.lossless || colors !== undefined || quality !== undefined);

/** Whether a result lost the gain map of an HDR photo for no other reason than the settings. */
export const couldKeepHdr = (facts, result, { options }) =>
  canKeepHdr(facts, result) && options.hdr !== "keep" && result.warnings.some(({ code }) => code === "gain_map_dropped");

function imageOptions(wanted, facts, output) {
  const options = {};
  if (wanted.watermark && !output.vector) options.overlay = wanted.watermark;
  const longest = Math.min(wanted.longest, wanted.shrink ?? Infinity);
  // Nothing is enlarged where the size is not known.
  const shrinks = Math.max(facts.width ?? Infinity, facts.height ?? Infinity) > longest;
  if (shrinks && !output.vector) options.resize = { maxWidth: longest, maxHeight: longest };
  // What is resized while it is read does not need the memory of all pixels. The package's limit of memory holds still.
  const pixels = facts.width * facts.height;
  if (options.resize && pixels > MAX_PIXELS && pixels < Infinity) options.limits = { maxPixels: pixels };
  const transcodes = output.transcode && output.type === facts.type && !options.resize && !options.overlay;
  if (wanted.lossless && (output.lossless || transcodes)) options.lossless = true;
  else if (wanted.aim === "manual" && output.quality) options.quality = wanted.quality;
  else if (wanted.aim === "auto" && output.autoQuality) {
    options.quality = "auto";
    if (wanted.minScore !== 80) options.minScore = wanted.minScore;
  } else if (wanted.aim === "size") options.targetSize = wanted.kilobytes * 1000;
  if (wanted.colors < Infinity && output.colors && !options.lossless) options.colors = wanted.colors;
  if (wanted.dither !== 100 && hasPalette(output, options)) options.dither = wanted.dither / 100;
  if (wanted.chroma !== "auto" && output.chroma && !options.lossless) options.chroma = wanted.chroma;
  if (wanted.effort !== 4 && output.effort) options.effort = wanted.effort;
  // Sent for every format: a kept original may contain comments.
  if (wanted.metadata !== "safe") options.metadata = wanted.metadata;
  // A lossless JPEG keeps it by default.
  const keepsHdr = transcodes && options.lossless;
  if (wanted.hdr && canKeepHdr(facts, output) && !keepsHdr) options.hdr = "keep";
  if (wanted.still && facts.frames > 1) options.animation = "first";
  if (wanted.background !== "#ffffff" && facts.hasAlpha && !output.alpha) options.background = wanted.background;
  return options;
}

function remoteOptions({ video, audio, document, image }, facts, output) {
  const options = {};
  const settings = {};
  if (output.startsWith("video/")) {
    if (video.level) settings.crf = CRF[video.level][output === "video/webm" ? 1 : 0];
    if (video.mute && facts.class === "video") settings.mute = true;
    if (video.height) options.resize = { maxHeight: video.height };
  } else if (output.startsWith("audio/")) {
    if (audio.bitrate && !LOSSLESS_AUDIO.includes(output)) settings.bitrate = audio.bitrate;
  } else if (facts.class === "document") {
    if (document.dpi) settings.dpi = document.dpi;
  } else if (facts.class === "video" && image.longest < Infinity)
    options.resize = { maxWidth: image.longest, maxHeight: image.longest };
  if (Object.keys(settings).length > 0) options.settings = settings;
  return options;
}
