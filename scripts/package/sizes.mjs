// What a page has to load, compressed as servers send it, against the budgets of the project.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const KB = 1024;
const BUDGETS = { client: 60 * KB, core: 640 * KB, full: 2.2 * KB * KB, js: 15 * KB };

/** Prints the table; false when something is over its budget. */
export function printSizes(folder, builds, tarball) {
  const wasm = builds.map((build) => row(`${build} wasm`, [readFileSync(join(folder, "wasm", build, "filepress_bg.wasm"))], BUDGETS[build]));
  const page = row("JS of a page (entry + worker, bundled)", [bundle(folder, "index.browser.js"), bundle(folder, "worker-core.js")], BUDGETS.js);
  const every = row("JS of all runtimes, as published", scripts(folder).map((file) => readFileSync(file)));
  const rows = [...wasm, page, every];
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

/** The bytes that the build of an application makes of one of the package's scripts and all that it imports. */
function bundle(folder, script) {
  const settings = { bundle: true, minify: true, format: "esm", target: "es2022", write: false };
  return buildSync({ entryPoints: [join(folder, script)], ...settings }).outputFiles[0].contents;
}

function scripts(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js")).map((name) => join(folder, name));
}
