// Entry of filepress/webpack: a loader that makes images that are imported the files of a <picture> element.
import { basename, relative, resolve } from "node:path";
import { CACHE, createBuildCache } from "./build-cache.js";
import { summarize } from "./build-summary.js";
import { createPresets, makeFiles, moduleOf, ofImage } from "./picture-import.js";

/** webpack hands on the bytes of the image. */
export const raw = true;

/** By folder, an absolute path: a loader is called for each image. */
const caches = {};

/** See types/plugins/webpack.d.ts. */
export default async function load(input) {
  const path = relative(this.rootContext, this.resourcePath);
  try {
    const { presets, cacheDir = CACHE, next, ...defaults } = this.getOptions();
    // The rule of webpack's configuration has decided that it is an image of this loader.
    const preset = createPresets(presets, defaults)(this.resourceQuery.slice(1), true);
    const folder = resolve(this.rootContext, cacheDir);
    const cache = (caches[folder] ??= createBuildCache(folder));
    const watch = (file) => this.addDependency(file);
    const { files, cached } = await makeFiles(cache, input, basename(path), preset, watch);
    const [, line] = summarize([{ name: path, size: input.length, files, cached }]);
    this.getLogger("filepress").info(line.trim());
    // For filepress/next/config, where a file is an object or its URL. Turbopack imports no absolute paths.
    if (next) return moduleOf(files, (file) => `./${relative(this.context, file.path)}`, "($1.src??$1)");
    // webpack treats each file as an asset, whatever its rules are for files of that name.
    return moduleOf(files, (file) => `${file.name}.webpack[asset/resource]!=!${file.path}`);
  } catch (error) {
    throw ofImage(path, error);
  }
}
