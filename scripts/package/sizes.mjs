// What a page has to load, compressed as servers send it, against the budgets of the project.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const KB = 1024;
const BUDGETS = { client: 60 * KB, photo: 270 * KB, core: 640 * KB, full: 2.2 * KB * KB, images: 15 * KB, service: 20 * KB, jpeg: 350 * KB };

/** Prints the table; false when something is over its budget. */
export function printSizes(folder, builds, tarball) {
  const module = (build) => readFileSync(join(folder, "wasm", build, "filepress_bg.wasm"));
  const wasm = builds.map((build) => row(`${build} wasm`, [module(build)], BUDGETS[build]));
  const page = (exports) => [...bundle(folder, exports, "index.browser.js"), ...bundle(folder, "*", "worker-photo.js")];
  const images = row("JS of a page for images (with its worker)", page("{ compress, convert, inspect }"), BUDGETS.images);
  const service = row("JS of a page with a Client as well", page("*"), BUDGETS.service);
  const jpeg = row("all that JPEG to JPEG or WebP takes", [...page("*"), module("client"), module("photo")], BUDGETS.jpeg);
  const every = row("JS of all runtimes, as published", scripts(folder).map((file) => readFileSync(file)));
  const rows = [...wasm, images, service, jpeg, every];
  console.table(Object.fromEntries(rows.map(({ name, ...columns }) => [name, columns])));
  console.log(`package: ${tarball} is ${statSync(tarball).size.toLocaleString("en")} bytes`);

  const over = rows.filter(({ gzip, budget }) => gzip > budget);
  for (const { name, gzip, budget } of over) console.error(`package: ${name}: ${gzip - budget} bytes over the budget`);
  return over.length === 0;
}

function row(name, contents, budget) {
  const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
  const gzip = sum(contents.map((bytes) => gzipSync(bytes, { level: 9 }).length));
  return { name, bytes: sum(contents.map(({ length }) => length)), gzip, ...(budget && { budget: Math.floor(budget) }) };
}

/** What the build of an application makes of some exports of a script, for a browser to load at once: not what it may import later. */
function bundle(folder, exports, script) {
  const stdin = { contents: `export ${exports} from "./${script}"`, resolveDir: folder, sourcefile: "page.js" };
  const settings = { bundle: true, minify: true, splitting: true, format: "esm", target: "es2022", write: false };
  const { outputFiles, metafile } = buildSync({ stdin, ...settings, outdir: "out", metafile: true, logLevel: "error" });
  const contents = new Map(outputFiles.map((file) => [relative(process.cwd(), file.path), file.contents]));
  const loaded = new Set([Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint)]);
  for (const path of loaded) {
    for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === "import-statement") loaded.add(next);
  }
  return [...loaded].map((path) => contents.get(path));
}

function scripts(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js")).map((name) => join(folder, name));
}
