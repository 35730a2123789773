// Joins the modules that a browser loads: on a slow line, a chain of small files costs more time than their bytes.
// The page's entries stay as they are, because bundlers search them for literal addresses. What both entries import
// becomes one file, and so does each worker. Names and structure are kept, so that stack traces stay readable and
// bundlers can drop unused code.
import { readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";

const JOINED = ["platforms/browser.js", "worker-photo.js", "worker-photo_avif.js", "worker-avif.js", "worker-core.js", "worker-full.js", "worker-jxl.js"];

/** What a page loads only for some files, and joins to a file of its own. */
const APART = ["lib/heif/decoder.js", "lib/jxl/reader.js"];

/** Joins them in place, and removes the modules that nothing else imports. */
export function joinScripts(folder) {
  const inPlace = { outdir: ".", outbase: ".", allowOverwrite: true };
  const parts = [...bundle(folder, JOINED, { ...inPlace, external: APART.map((path) => `*/${path}`) }), ...bundle(folder, APART, inPlace)];
  const plugins = readdirSync(join(folder, "plugins")).map((name) => `plugins/${name}`);
  const entries = [...readdirSync(folder), ...plugins].filter((name) => name.endsWith(".js"));
  const external = ["cloudflare:*", join(resolve(folder), "*.wasm")];
  const used = bundle(folder, [...entries, "bin/filepress.js"], { outdir: "out", write: false, platform: "node", packages: "external", external });
  for (const path of parts.filter((part) => !used.includes(part))) rmSync(join(folder, path));
}

/** Bundles each entry for itself. Returns the paths within the folder of all modules that take part. */
function bundle(folder, entryPoints, settings) {
  const shape = { bundle: true, format: "esm", target: "es2022", charset: "utf8", metafile: true, logLevel: "error" };
  return Object.keys(buildSync({ absWorkingDir: resolve(folder), entryPoints, ...shape, ...settings }).metafile.inputs);
}
