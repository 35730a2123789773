// Makes of the settings, and of what a file is, the call of the package for this file. What has no effect on a file is left out
// of its call, so that two equal plans mean that nothing has to be done again.

const HAVE_QUALITY = ["image/jpeg", "image/webp", "image/avif", "image/png", "image/gif", "image/x-exr", "image/vnd.ms-dds"];
const HAVE_AUTO = ["image/jpeg", "image/webp", "image/avif", "image/png"];
const HAVE_EFFORT = ["image/jpeg", "image/webp", "image/avif", "image/png", "image/tiff", "image/x-icon"];
const OPAQUE = ["image/jpeg", "image/x-portable-anymap", "image/vnd.radiance"];
const LOSSLESS_SOUND = ["audio/wav", "audio/flac"];
/** Constant rate factors, for H.264 and its like, and for the codecs of WebM. */
const RATE = { small: [30, 42], good: [19, 26] };

/**
 * @param settings as `readSettings` gives them.
 * @param facts of the file: as `recognize` gives them.
 * @param {string} [choice] the type that was chosen for this file; it goes before the settings.
 * @param {Set<string>} possible types that the file can become.
 * @returns {{ to?: string, options: object, remote: boolean }} `to` is undefined where the type is kept.
 */
export function planCall(settings, facts, choice, possible) {
  const wanted = choice || settings[facts.class].to;
  const to = wanted && wanted !== facts.type && possible.has(wanted) ? wanted : undefined;
  const output = to ?? facts.type;
  const remote = facts.class !== "image" || !output.startsWith("image/");
  const options = remote ? heavyOptions(settings, facts, output) : pictureOptions(settings.image, facts, output);
  return { to, options, remote };
}

function pictureOptions(wanted, facts, output) {
  const options = {};
  const shrinks = Math.max(facts.width, facts.height) > wanted.longest;
  if (shrinks && output !== "image/svg+xml") options.resize = { maxWidth: wanted.longest, maxHeight: wanted.longest };
  const recodes = output === "image/jpeg" && facts.type === "image/jpeg" && !options.resize;
  if (wanted.lossless && (output === "image/webp" || output === "image/png" || recodes)) options.lossless = true;
  else if (wanted.aim === "manual" && HAVE_QUALITY.includes(output)) options.quality = wanted.quality;
  else if (wanted.aim === "auto" && HAVE_AUTO.includes(output)) {
    options.quality = "auto";
    if (wanted.minScore !== 80) options.minScore = wanted.minScore;
  } else if (wanted.aim === "size") options.targetSize = wanted.kilobytes * 1000;
  if (wanted.effort !== 4 && HAVE_EFFORT.includes(output)) options.effort = wanted.effort;
  // A type that holds none may still come back as the original with its comments.
  if (wanted.metadata !== "safe") options.metadata = wanted.metadata;
  if (wanted.still && facts.frames > 1) options.animation = "first";
  if (wanted.background !== "#ffffff" && facts.hasAlpha && OPAQUE.includes(output)) options.background = wanted.background;
  return options;
}

function heavyOptions({ video, audio, document, image }, facts, output) {
  const options = {};
  const settings = {};
  if (output.startsWith("video/")) {
    if (video.level) settings.crf = RATE[video.level][output === "video/webm" ? 1 : 0];
    if (video.mute && facts.class === "video") settings.mute = true;
    if (video.height) options.resize = { maxHeight: video.height };
  } else if (output.startsWith("audio/")) {
    if (audio.bitrate && !LOSSLESS_SOUND.includes(output)) settings.bitrate = audio.bitrate;
  } else if (facts.class === "document") {
    if (document.dpi) settings.dpi = document.dpi;
  } else if (facts.class === "video" && image.longest < Infinity)
    options.resize = { maxWidth: image.longest, maxHeight: image.longest };
  if (Object.keys(settings).length > 0) options.settings = settings;
  return options;
}
