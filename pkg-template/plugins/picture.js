// From one image to the files of a <picture> element: the same image in several widths and formats.
import { compress, inspect } from "filepress";
import { fileName } from "../lib/file-name.js";
import { pictureSources } from "../lib/picture-sources.js";
import { predictSize } from "../lib/predict-size.js";

/** Stands for the format of the input. */
const ORIGINAL = "original";

const DEFAULTS = { widths: [480, 960, 1440, 1920], formats: ["avif", "webp", ORIGINAL] };

/** A preset with its defaults: `{ widths, formats, options }`. `formats` are options of `compress` with `to`; `options` apply to all of them. */
export function readPreset({ widths = DEFAULTS.widths, formats = DEFAULTS.formats, ...options } = {}) {
  const entries = formats.map((format) => (typeof format === "string" ? { to: format } : { ...format }));
  return { widths: [...widths], formats: entries.map(({ to, ...rest }) => ({ ...(to !== ORIGINAL && { to }), ...rest })), options };
}

/**
 * Makes the files of a picture: resolves to `{ name, type, width, height, bytes }` of each, in the order of the formats, and by width.
 * Widths above that of the image, after `crop` and `rotate`, become the image's own.
 */
export async function makePicture(input, name, { widths, formats, options }) {
  const size = await inspect(input);
  const calls = formats.flatMap((format) => {
    const { resize, ...call } = { ...options, ...format };
    const { width: widest } = predictSize(size, call);
    const sizes = [...new Set(widths.map((width) => Math.min(width, widest)))].sort((a, b) => a - b);
    return sizes.map((width) => ({ ...call, resize: { ...options.resize, ...resize, width } }));
  });
  const files = await makeVariants(input, calls, fileName(name));
  // `maxWidth` of a preset can make several widths the same.
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

/** Resolves to a result for each of `calls`, which are options of `compress`. */
async function makeVariants(input, calls, name) {
  const results = await Promise.all(calls.map((call) => compress(input, { ...call, name })));
  return Promise.all(results.map(async (result) => ({ name: sizedName(result), type: result.type, width: result.width, height: result.height, bytes: await result.bytes() })));
}

/** `photo.webp` with its width: `photo-400.webp`. */
const sizedName = ({ name, width }) => name.replace(/(\.[^.]*)?$/, (extension) => `-${width}${extension}`);

/**
 * The picture for markup: `files` have `url`, `type`, `width` and `height`, in the order of `makePicture`. The last format is the fallback,
 * its widest file the `src`.
 */
export const describePicture = (files) => pictureSources(files.map((file, index) => ({ ...file, index })), ({ url }) => url);
