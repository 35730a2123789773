// The gzipped sizes of what a page loads, compared with the budgets of the project.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const KB = 1024;
const BUDGETS = {
  client: 63.5 * KB,
  photo: 225_000,
  photo_avif: 358_000,
  avif: 500_000,
  core: 600_000,
  full: 1_600_000,
  jxl: 600_000,
  // All of the JavaScript that a page for images loads.
  images: 19 * KB,
  service: 28 * KB,
  worker: 5 * KB,
  jpeg: 306 * KB,
  jpegToAvif: 450_000,
  toAvif: 600_000,
  plugin: 3 * KB,
  vite: 3.25 * KB,
  serve: 5.25 * KB,
  next: 5.5 * KB,
};

/** Prints the table; false when something is over its budget. */
export function printSizes(folder, builds, tarball) {
  const rows = sizesOf(folder, builds);
  console.table(Object.fromEntries(rows.map(({ name, ...columns }) => [name, columns])));
  console.log(`package: ${tarball} is ${statSync(tarball).size.toLocaleString("en")} bytes`);

  const over = rows.filter(({ gzip, budget }) => gzip > budget);
  for (const { name, gzip, budget } of over) console.error(`package: ${name}: ${gzip - budget} bytes over the budget`);
  return over.length === 0;
}

/** `{ name, bytes, gzip, budget }` of each build and of what pages load, `budget` where there is one. */
export function sizesOf(folder, builds) {
  const module = (build) => readFileSync(join(folder, "wasm", build, "filepress_bg.wasm"));
  const page = (exports) => bundle({ stdin: { contents: `export ${exports} from "./index.browser.js"`, resolveDir: folder } });
  const images = page("{ compress, convert, inspect }");
  // Starts when the first picture comes. It exports nothing: an import of it would be dropped as one without effect.
  const workerOf = (build) => bundle({ entryPoints: [join(folder, `worker-${build}.js`)] });
  const worker = workerOf("photo");
  const all = (build) => [...images, ...workerOf(build), module("client"), module(build)];
  return [
    ...builds.map((build) => row(`${build} wasm`, [module(build)], BUDGETS[build])),
    row("JS of a page for images", images, BUDGETS.images),
    row("JS of a page with a Client as well", page("*"), BUDGETS.service),
    row("JS of a worker", worker, BUDGETS.worker),
    row("all that JPEG to JPEG or WebP takes", all("photo"), BUDGETS.jpeg),
    row("all that JPEG to AVIF takes", all("photo_avif"), BUDGETS.jpegToAvif),
    row("all that PNG or WebP to AVIF takes", all("avif"), BUDGETS.toAvif),
    ...plugins(folder).map(([name, file]) => row(`filepress/${name}`, plugin(folder, file), BUDGETS[name] ?? BUDGETS.plugin)),
    row("JS of all runtimes, as published", scripts(folder).map((file) => readFileSync(file))),
  ];
}

/** Name and file of each entry of the manifest that is a plug-in. */
function plugins(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.entries(exports).map(([name, entry]) => [name.slice(2), entry.default]);
  return entries.filter(([, file]) => file?.startsWith("./plugins/"));
}

/** What a plug-in takes beside the package and the library that it is for. */
const plugin = (folder, file) => bundle({ entryPoints: [join(folder, file)], packages: "external", external: ["../lib/*"] });

function row(name, contents, budget) {
  const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
  const gzip = sum(contents.map((bytes) => gzipSync(bytes, { level: 9 }).length));
  return { name, bytes: sum(contents.map(({ length }) => length)), gzip, ...(budget && { budget: Math.floor(budget) }) };
}

/** What the build of an application makes of a script, for a browser to load at once: not what it may import later. */
function bundle(source) {
  const settings = { bundle: true, minify: true, splitting: true, format: "esm", target: "es2022", write: false };
  const { outputFiles, metafile } = buildSync({ ...source, ...settings, outdir: "out", metafile: true, logLevel: "error" });
  const contents = new Map(outputFiles.map((file) => [relative(process.cwd(), file.path), file.contents]));
  const loaded = new Set([Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint)]);
  for (const path of loaded) {
    for (const { path: next, kind, external } of metafile.outputs[path].imports) if (kind === "import-statement" && !external) loaded.add(next);
  }
  return [...loaded].map((path) => contents.get(path));
}

function scripts(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js")).map((name) => join(folder, name));
}
