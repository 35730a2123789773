// The options of the codec in the comparison, where the format of the result has them: lossless, HDR, and effort.
import { canKeepHdr } from "../plan.js";

const part = (id) => document.getElementById(`compare-${id}`);
/** The effort of a call without one. */
const DEFAULT_EFFORT = 4;

/**
 * @param {(changes: object, wait?: number) => void} adjust changes settings of the item that is shown, after a pause of `wait` ms.
 * @returns {(item, output) => void} shows the options of an item whose result has the format `output`, as `formats()` lists it;
 *   undefined for one that has no codec here.
 */
export function createCodecOptions(adjust) {
  const [lossless, hdr, effort, effortValue] = ["lossless", "hdr", "effort", "effort-value"].map(part);
  let lossy;

  lossless.addEventListener("change", () => {
    adjust(lossless.checked ? { lossless: true, aim: undefined, quality: undefined, kilobytes: undefined } : lossy, 0);
  });
  hdr.addEventListener("change", () => adjust({ hdr: hdr.checked }, 0));
  effort.addEventListener("input", () => {
    effortValue.textContent = effort.value;
    adjust({ effort: effort.valueAsNumber });
  });

  return ({ call, facts }, output) => {
    const { options } = call;
    const transcodes = output?.transcode && output.type === facts.type && !options.resize;
    part("lossless-field").hidden = !(output?.lossless || transcodes);
    part("effort-field").hidden = !output?.effort;
    // A lossless JPEG keeps it anyway.
    part("hdr-field").hidden = !canKeepHdr(facts, output) || options.lossless === true;
    hdr.checked = options.hdr === "keep";
    part("options").hidden = ["lossless-field", "hdr-field", "effort-field"].every((name) => part(name).hidden);
    // A PNG loses nothing unless a quality or a size is asked for.
    const isPng = output?.type === "image/png";
    lossless.checked = options.lossless === true || (isPng && options.quality === undefined && options.targetSize === undefined);
    lossy = { lossless: false, ...(isPng && { aim: "manual", quality: 100 }) };
    if (document.activeElement !== effort) effort.value = options.effort ?? DEFAULT_EFFORT;
    effortValue.textContent = effort.value;
  };
}
