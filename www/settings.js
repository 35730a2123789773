// The settings form, read as the package's options.
const form = document.getElementById("settings");
const { to, quality, longest } = form.elements;
const automatic = document.getElementById("quality-auto");

const metadataWords = {
  safe: "Colour profile, author and copyright stay; places, devices and thumbnails go.",
  keep: "Everything stays that the output type can carry.",
  strip: "Nothing stays but a colour profile that is not sRGB.",
};

const defaultQuality = {
  "image/jpeg": "JPEG: 80.",
  "image/webp": "WebP: 80.",
  "image/avif": "AVIF: 60, which takes seconds a megapixel.",
  "image/png": "PNG: lossless; a quality makes it a palette of at most 256 colours.",
  "image/gif": "GIF: 256 colours; fewer at lower values.",
  "image/x-exr": "OpenEXR: lossless; a quality halves the precision of its numbers.",
  "image/vnd.ms-dds": "DDS: lossless; a quality compresses it by blocks.",
  "": "JPEG and WebP: 80. AVIF: 60. PNG: lossless. GIF: 256 colours.",
};

/** Offers these types, of `formats()`, as output. */
export function offerTypes(types) {
  for (const { type, name } of types) to.add(new Option(name, type));
}

/**
 * What the form says: `to` is undefined where the type is kept, and a setting left alone is not among the options.
 * Values are not judged here: the package does, in words.
 */
export function readSettings() {
  const options = {};
  if (!automatic.checked) options.quality = quality.valueAsNumber;
  if (longest.value !== "") options.resize = { maxWidth: longest.valueAsNumber, maxHeight: longest.valueAsNumber };
  if (form.elements.metadata.value !== "safe") options.metadata = form.elements.metadata.value;
  return { to: to.value || undefined, options };
}

/** Calls back once a change has come to rest. */
export function watchSettings(changed) {
  let timer;
  describe();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (target === quality) automatic.checked = false;
    describe();
    clearTimeout(timer);
    timer = setTimeout(changed, 300);
  });
}

function describe() {
  document.getElementById("quality-value").textContent = automatic.checked ? "default" : quality.value;
  document.getElementById("quality-help").textContent = defaultQuality[to.value] ?? "This type has no quality.";
  document.getElementById("metadata-help").textContent = metadataWords[form.elements.metadata.value];
}
