// Builds the npm package: dist/package/ (the folder) and dist/filepress.tgz (the tarball), and prints their sizes. A
// size over its budget is a failure.
import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "./package/assemble.mjs";
import { printSizes } from "./package/sizes.mjs";
import { buildWasm } from "./package/wasm.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const BUILDS = ["client", "photo", "photo_avif", "avif", "core", "full", "jxl"];
const FOLDER = "dist/package";
const TARBALL = "dist/filepress.tgz";

for (const build of BUILDS) buildWasm(build);
assemble(FOLDER, BUILDS);
renameSync(pack(FOLDER), TARBALL);
console.log(`package: ${FOLDER}/ and ${TARBALL}`);
if (!printSizes(FOLDER, BUILDS, TARBALL)) process.exit(1);

/** Runs npm pack and returns the path of the tarball, whose name carries the version. */
function pack(folder) {
  const args = ["pack", "--json", "--loglevel=error", "--ignore-scripts", "--pack-destination", "dist", `./${folder}`];
  const [{ filename }] = JSON.parse(execFileSync("npm", args, { encoding: "utf8" }));
  return `dist/${filename}`;
}
