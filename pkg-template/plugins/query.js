// Options of `compress` in the query of a URL, as in `?quality=60&height=300&fit=cover&crop=0,20,300,200`. Only names are checked here: values are
// checked by the call.
import { OptionsError } from "../lib/errors.js";

const OPTIONS = ["quality", "minScore", "targetSize", "effort", "colors", "dither", "chroma", "lossless", "background", "metadata", "animation", "hdr", "crop", "rotate", "flip"];
const RESIZE = ["width", "height", "maxWidth", "maxHeight", "fit", "position"];
const INTEGER = /^-?\d{1,16}$/;
const NUMBER = /^-?\d{1,16}(\.\d{1,16})?$/;
const FLAGS = new Map([["", true], ["true", true], ["false", false]]);

/** `chroma` is a string whose values are digits. */
const readValue = (name, text) => FLAGS.get(text) ?? (NUMBER.test(text) && name !== "chroma" ? Number(text) : text);

/**
 * The options in `params` (URLSearchParams). Members of `resize` have no prefix. Throws `unknown_option` for a name that is neither an
 * option nor in `others`, and `invalid_option` for one that occurs twice.
 */
export function readQuery(params, others = []) {
  const options = {};
  for (const [name, value] of params) {
    if (others.includes(name)) continue;
    const inResize = RESIZE.includes(name);
    if (!inResize && !OPTIONS.includes(name)) throw fail("unknown_option", name, `is not one of ${[...OPTIONS, ...RESIZE, ...others].join(", ")}`);
    const members = inResize ? (options.resize ??= {}) : options;
    if (name in members) throw fail("invalid_option", name, "occurs twice");
    members[name] = name === "crop" ? readCrop(value) : readValue(name, value);
  }
  return options;
}

/** `x,y,width,height`, in pixels or in percent. */
function readCrop(text) {
  const [x, y, width, height, ...more] = text.split(",").map((part) => readValue("crop", part));
  if (!height || more.length) throw fail("invalid_option", "crop", "must be x,y,w,h");
  return { x, y, width, height };
}

/** The list in a member of `params`, separated by semicolons or commas; undefined without the member. */
export const readList = (params, name) => params.get(name)?.split(/[;,]/).filter(Boolean);

/** The list of numbers in a member of `params`, see `readList`. Throws `invalid_option`. */
export function readNumbers(params, name) {
  return readList(params, name)?.map((item) => {
    if (INTEGER.test(item) && item > 0) return Number(item);
    throw fail("invalid_option", name, `has to list integers, not ${JSON.stringify(item)}`);
  });
}

function fail(code, option, problem) {
  return new OptionsError(code, `${option} ${problem}.`, { details: { option } });
}
