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
  const changed = Object.keys(shown).filter((name) => part(`${name}-field`).hidden === shown[name]);
  for (const name of changed) part(`${name}-field`).hidden = !shown[name];
  // An invalid number counts only where its field is shown, so it is validated again.
  const form = part("settings");
  if (changed.length > 0 && form.matches(":invalid")) form.dispatchEvent(new Event("input"));
}
