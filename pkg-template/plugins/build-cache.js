// A folder of results of builds: a folder for each key, with the files and `files.json`, which lists them. A folder appears by a rename,
// so that it is always whole, even if several builds run at the same time.
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheKey } from "./cache-key.js";

/** Where the results are by default. */
export const CACHE = "node_modules/.cache/filepress";

const LIST = "files.json";

/** Another version of the package may give other bytes. */
const version = async () => JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")).version;

export function createBuildCache(folder) {
  const running = new Map();

  /**
   * Resolves to `{ files, cached }` of `settings` applied to `input`. A file is `{ path, name, bytes, …facts }`, where `bytes` is their number.
   * What the cache lacks is made by `make()`, which resolves to `{ name, bytes, …facts }` of each file.
   */
  async function get(input, settings, make) {
    const key = await cacheKey(input, { ...settings, version: await version() });
    if (!running.has(key)) running.set(key, readOrMake(join(folder, key), make).finally(() => running.delete(key)));
    return running.get(key);
  }

  async function readOrMake(place, make) {
    const files = await list(place);
    if (files) return { files, cached: true };
    await write(place, await make());
    return { files: await list(place), cached: false };
  }

  async function list(place) {
    const text = await readFile(join(place, LIST), "utf8").catch(() => undefined);
    return text && JSON.parse(text).map((file) => ({ ...file, path: join(place, file.name) }));
  }

  async function write(place, made) {
    await mkdir(folder, { recursive: true });
    const temporary = await mkdtemp(join(folder, "writing-"));
    try {
      for (const { name, bytes } of made) await writeFile(join(temporary, name), bytes);
      await writeFile(join(temporary, LIST), JSON.stringify(made.map(({ bytes, ...file }) => ({ ...file, bytes: bytes.length }))));
      // Fails if another build was faster, whose files are the same.
      await rename(temporary, place).catch(async (error) => {
        if (!(await list(place))) throw error;
      });
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  return { get };
}
