// Entry of filepress/vite: images that are imported become the files of a <picture> element when the application is built.
import { readFile } from "node:fs/promises";
import { basename, relative, resolve, sep } from "node:path";
import { createFilter } from "vite";
import { createBuildCache } from "./build-cache.js";
import { summarize } from "./build-summary.js";
import { describePicture, makePicture, readPreset } from "./picture.js";
import { readList, readNumbers, readQuery } from "./query.js";

/** The name of the preset that is always there. */
const DEFAULT = "picture";

/** See types/plugins/vite.d.ts. */
export function filepress({ presets = {}, include = [], cacheDir = "node_modules/.cache/filepress", ...defaults } = {}) {
  const all = { [DEFAULT]: {}, ...presets };
  const rows = new Map();
  let config;
  let cache;
  let isIncluded;

  /** The preset that an import asks for; undefined if it is none of this plug-in. */
  function presetFor(path, query) {
    const params = new URLSearchParams(query);
    const named = Object.keys(all).find((name) => params.has(name));
    if (named === undefined && (query || !isIncluded(path))) return undefined;
    const preset = { ...defaults, ...all[named ?? DEFAULT] };
    const widths = readNumbers(params, "widths") ?? preset.widths;
    const formats = readList(params, "formats") ?? preset.formats;
    // Vite adds "t" after a change.
    return readPreset({ ...preset, ...readQuery(params, [named, "widths", "formats", "t"]), widths, formats });
  }

  async function load(id) {
    const [, path, query = ""] = /^([^?]*)(?:\?(.*))?$/s.exec(id);
    // Modules of other plug-ins, whose names begin so.
    if (path.startsWith("\0")) return undefined;
    try {
      const preset = presetFor(path, query);
      if (!preset) return undefined;
      this.addWatchFile(path);
      const input = await readFile(path);
      const name = basename(path);
      const { files, cached } = await cache.get(input, { ...preset, name }, () => makePicture(input, name, preset));
      rows.set(id, { name: relative(config.root, path), size: input.length, files, cached });
      return moduleOf(files);
    } catch (error) {
      throw Object.assign(new Error(`${relative(config.root, path)}: ${error.message}`, { cause: error }), { code: error.code });
    }
  }

  return {
    name: "filepress",
    // Before Vite's own plug-in for assets.
    enforce: "pre",
    configResolved(resolved) {
      config = resolved;
      cache = createBuildCache(resolve(config.root, cacheDir));
      // Without a pattern, Vite's filter takes every file.
      isIncluded = [include].flat().length > 0 ? createFilter(include, undefined, { resolve: config.root }) : () => false;
    },
    load,
    closeBundle() {
      if (config.command === "build") for (const line of summarize([...rows.values()])) config.logger.info(line);
      rows.clear();
    },
  };
}

/** The source of the module. Vite treats each file as an asset that is imported by its own address. */
function moduleOf(files) {
  const path = (file) => JSON.stringify(`${file.path.split(sep).join("/")}?url&no-inline`);
  const imports = files.map((file, index) => `import url${index} from ${path(file)};`);
  // Placeholders of the addresses, with letters that JSON does not change.
  const picture = describePicture(files.map(({ type, width, height }, index) => ({ type, width, height, url: `<<url${index}>>` })));
  const literal = JSON.stringify(picture).replaceAll(/<<(url\d+)>>/g, '" + $1 + "');
  return `${imports.join("\n")}\nexport default ${literal};\n`;
}

export default filepress;
