// The codec's settings in "Advanced": each is shown where the format for all images has it, and all of them while files keep their formats.
import { formats } from "./package.js";
import { hasPalette, planCall } from "./plan.js";
import { readForm } from "./settings.js";

const part = (id) => document.getElementById(id);
/** An image of no format in particular. */
const ANY = { class: "image", type: "", width: 0, height: 0 };

/** Keeps them as the settings are, from when the fold is opened: before, the package would be loaded for nothing. */
export function watchCodecSettings() {
  const begin = () => {
    show();
    part("settings").addEventListener("input", show);
  };
  part("advanced").addEventListener("toggle", begin, { once: true });
}

async function show() {
  // Without the package, files say what is wrong.
  const known = await formats().catch(() => []);
  const settings = readForm();
  const output = known.find(({ type }) => type === settings.image.to);
  const options = output ? planCall(settings, ANY, {}, known).options : {};
  const shown = {
    colors: !output || (output.colors && !options.lossless),
    dither: !output || hasPalette(output, options),
    chroma: !output || (output.chroma && !options.lossless),
  };
  for (const name of Object.keys(shown)) part(`${name}-field`).hidden = !shown[name];
}
