// Entry of filepress/vite: images that are imported become the files of a <picture> element when the application is built.
import { readFile } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import { createFilter } from "vite";
import { CACHE, createBuildCache } from "./build-cache.js";
import { summarize } from "./build-summary.js";
import { createPresets, makeFiles, moduleOf, ofImage } from "./picture-import.js";

/** See types/plugins/vite.d.ts. */
export function filepress({ presets, include = [], cacheDir = CACHE, ...defaults } = {}) {
  const presetOf = createPresets(presets, defaults);
  const rows = new Map();
  let config;
  let cache;
  let isIncluded;

  async function load(id) {
    const [, path, query = ""] = /^([^?]*)(?:\?(.*))?$/s.exec(id);
    // Modules of other plug-ins, whose names begin so.
    if (path.startsWith("\0")) return undefined;
    try {
      const preset = presetOf(query, !query && isIncluded(path));
      if (!preset) return undefined;
      const watch = (file) => this.addWatchFile(file);
      watch(path);
      const input = await readFile(path);
      const { files, cached } = await makeFiles(cache, input, basename(path), preset, watch);
      rows.set(id, { name: relative(config.root, path), size: input.length, files, cached });
      // Vite treats each file as an asset that is imported by its own URL.
      return moduleOf(files, (file) => `${file.path}?url&no-inline`);
    } catch (error) {
      throw ofImage(relative(config.root, path), error);
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

export default filepress;
