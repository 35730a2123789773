// Images that an application imports: the preset that an import asks for, its files, and the module that it gets. Shared by the plug-ins for
// bundlers.
import { readFile } from "node:fs/promises";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { copyBytes } from "../lib/input.js";
import { invalid } from "../lib/options.js";
import { sha256 } from "./cache-key.js";
import { describePicture, makePicture, readPreset } from "./picture.js";
import { readList, readNumbers, readQuery } from "./query.js";

/** The name of the preset that is always there. */
const DEFAULT = "picture";

/**
 * Returns a function of the query of an import, without its question mark: it gives the preset that the query asks for. A query that names none
 * gets the default preset if `byDefault` is true, and undefined otherwise.
 */
export function createPresets(presets, defaults) {
  const all = { [DEFAULT]: {}, ...presets };
  return (query, byDefault) => {
    const params = new URLSearchParams(query);
    const named = Object.keys(all).find((name) => params.has(name));
    if (named === undefined && !byDefault) return undefined;
    const preset = { ...defaults, ...all[named ?? DEFAULT] };
    const widths = readNumbers(params, "widths") ?? preset.widths;
    const formats = readList(params, "formats") ?? preset.formats;
    // Vite adds "t" after a change.
    return readPreset({ ...preset, ...readQuery(params, [named, "widths", "formats", "t"]), widths, formats });
  };
}

/** Resolves to `{ files, cached }` of an image, see build-cache.js. `watch` is called with the path of each other file that it depends on. */
export async function makeFiles(cache, input, name, preset, watch) {
  const own = await withImages(preset, (image) => readImage(image, watch));
  return cache.get(input, { ...(await withImages(own, sha256)), name }, () => makePicture(input, name, own));
}

/** The preset with what `change` makes of the image of each overlay. */
async function withImages({ widths, formats, options }, change) {
  const changed = async (settings) => {
    const { overlay } = settings;
    return overlay?.image ? { ...settings, overlay: { ...overlay, image: await change(overlay.image) } } : settings;
  };
  return { widths, formats: await Promise.all(formats.map(changed)), options: await changed(options) };
}

/** The bytes of the image of an overlay. A body or a stream has bytes only for the first of all images. */
async function readImage(image, watch) {
  if (image.protocol === "file:") {
    watch(fileURLToPath(image));
    return readFile(image);
  }
  const bytes = copyBytes(image instanceof Blob ? await image.arrayBuffer() : image);
  if (bytes) return bytes;
  throw invalid("overlay.image", "must be bytes, a Blob or a file: URL");
}

/**
 * The source of a module whose value is the picture. `request` returns what the module imports for a file, and `url` is an expression of what that
 * gives, `$1`: the URL of the file.
 */
export function moduleOf(files, request, url = "$1") {
  const path = (file) => JSON.stringify(request(file).split(sep).join("/"));
  const imports = files.map((file, index) => `import url${index} from ${path(file)};`);
  // Placeholders of the URLs, with letters that JSON does not change.
  const picture = describePicture(files.map(({ type, width, height }, index) => ({ type, width, height, url: `<<url${index}>>` })));
  const literal = JSON.stringify(picture).replaceAll(/<<(url\d+)>>/g, `" + ${url} + "`);
  return `${imports.join("\n")}\nexport default ${literal};\n`;
}

/** The error with the path of the image, relative to the application. */
export const ofImage = (path, error) => Object.assign(new Error(`${path}: ${error.message}`, { cause: error }), { code: error.code });
