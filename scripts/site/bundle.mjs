// Joins the demo page's scripts and style sheets, because on a slow connection each file costs a round trip: what the page needs at once
// is one style sheet, and one script with the chunks that it shares with those that are loaded later.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, transform } from "esbuild";

/** Scripts that are loaded by name: the page's, and those that it imports when they are first needed. */
const ENTRIES = ["main", "compare/comparison", "offers/on-cards", "watermark-input", "zip", "text/de", "text/ar"];
/** Files beside the scripts that are not part of the page's sources. */
const OUTSIDE = ["./filepress/*", "./vendor/*"];
const SHEET = /\s*<link rel="stylesheet" href="\.\/(css\/[^"]+)">/g;
const SCRIPT = '<script type="module" src="./main.js"></script>';

/**
 * Writes the scripts of `source` to `target`, where their own names stay and chunks that several share are beside them.
 * @returns {Promise<string[]>} the chunks that `main.js` needs, as paths in `target`.
 */
export async function joinScripts(source, target) {
  const { metafile } = await build({
    entryPoints: ENTRIES.map((name) => ({ in: join(source, `${name}.js`), out: name })),
    // Chunks are in the folder of main.js, so that addresses relative to it hold in them as well.
    chunkNames: "shared-[hash]",
    outdir: target,
    external: OUTSIDE,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    charset: "utf8",
    metafile: true,
    absWorkingDir: target,
  });
  return needed(metafile.outputs, "main.js").slice(1);
}

/** A script, and all that it imports at once. */
function needed(outputs, path, found = [path]) {
  for (const { path: next, kind, external } of outputs[path].imports) {
    if (kind !== "import-statement" || external || found.includes(next)) continue;
    found.push(next);
    needed(outputs, next, found);
  }
  return found;
}

/** Writes the style sheets that a page names as one file. @returns {Promise<string>} the page with that one. */
export async function joinSheets(html, source, target, name) {
  const paths = [...html.matchAll(SHEET)].map(([, path]) => path);
  const sheets = await Promise.all(paths.map((path) => readFile(join(source, path), "utf8")));
  const { code } = await transform(sheets.join("\n"), { loader: "css", minify: true, charset: "utf8" });
  await writeFile(join(target, name), code);
  let first = true;
  return html.replace(SHEET, (link, path) => {
    if (!first) return "";
    first = false;
    return link.replace(path, name);
  });
}

/** The page with hints for what its script imports, so that the browser does not wait for the script to ask for it. */
export function withPreloads(html, chunks) {
  const hints = chunks.map((path) => `<link rel="modulepreload" href="./${path}">`);
  return html.replace(SCRIPT, [...hints, SCRIPT].join("\n    "));
}
