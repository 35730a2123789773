// The options of the codec in the comparison, where the format of the result has them: lossless, HDR, colors and dithering of a palette,
// resolution of chroma, and effort.
import { canKeepHdr, hasPalette } from "../plan.js";

const part = (id) => document.getElementById(`compare-${id}`);
/** What a call without them does. `dither` is in percent. */
const DEFAULTS = { effort: 4, dither: 100, chroma: "auto" };

/**
 * @param {(changes: object, wait?: number) => void} adjust changes settings of the item that is shown, after a pause of `wait` ms.
 * @returns {(item, output) => void} shows the options of an item whose result has the format `output`, as `formats()` lists it;
 *   undefined for one that has no codec here.
 */
export function createCodecOptions(adjust) {
  const [lossless, hdr, colors, chroma] = ["lossless", "hdr", "colors", "chroma"].map(part);
  const sliders = ["effort", "dither"].map((name) => createSlider(name, adjust));
  let lossy;

  lossless.addEventListener("change", () => {
    adjust(lossless.checked ? { lossless: true, aim: undefined, quality: undefined, kilobytes: undefined } : lossy, 0);
  });
  hdr.addEventListener("change", () => adjust({ hdr: hdr.checked }, 0));
  chroma.addEventListener("change", () => adjust({ chroma: chroma.value }, 0));
  colors.addEventListener("input", () => {
    if (!colors.validity.valid) return;
    adjust(colors.value === "" ? { colors: Infinity } : { colors: colors.valueAsNumber, lossless: false });
  });

  return (item, output) => {
    const { options } = item.call;
    showFields(fieldsOf(item, output));
    hdr.checked = options.hdr === "keep";
    // A PNG loses nothing unless fewer colors, a quality or a size are asked for.
    const isPng = output?.type === "image/png";
    const isAsked = [options.colors, options.quality, options.targetSize].some((asked) => asked !== undefined);
    lossless.checked = options.lossless === true || (isPng && !isAsked);
    lossy = { lossless: false, ...(isPng && { aim: "manual", quality: 100 }) };
    if (document.activeElement !== colors) colors.value = options.colors ?? "";
    chroma.value = options.chroma ?? DEFAULTS.chroma;
    for (const show of sliders) show(options);
  };
}

/** Which options an item has whose result has the format `output`. */
function fieldsOf({ call: { options }, facts }, output) {
  const transcodes = output?.transcode && output.type === facts.type && !options.resize;
  return {
    lossless: output?.lossless || transcodes,
    // A lossless JPEG keeps it anyway.
    hdr: canKeepHdr(facts, output) && !options.lossless,
    colors: output?.colors,
    dither: output && hasPalette(output, options),
    chroma: output?.chroma && !options.lossless,
    effort: output?.effort,
  };
}

function showFields(fields) {
  for (const [name, is] of Object.entries(fields)) part(`${name}-field`).hidden = !is;
  part("options").hidden = !Object.values(fields).some(Boolean);
}

/** Lets a slider change the setting of its name. Returns a function that shows the setting of a call. */
function createSlider(name, adjust) {
  const [slider, value] = [part(name), part(`${name}-value`)];
  const scale = name === "dither" ? 100 : 1;
  slider.addEventListener("input", () => {
    value.textContent = slider.value;
    adjust({ [name]: slider.valueAsNumber });
  });
  return ({ [name]: set }) => {
    if (document.activeElement !== slider) slider.value = set === undefined ? DEFAULTS[name] : set * scale;
    value.textContent = slider.value;
  };
}
