// Refuses npm packages whose license is not permissive, including development tools, those of the documentation and those
// of the consumer projects. Reads only the lock files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const CONSUMERS = "tests/consumers";
const PERMISSIVE = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "MIT-0"]);

// Packages allowed all the same, each with its reason. None of them is part of what filepress ships.
const EXCEPTIONS = [
  // libvips (LGPL), as a shared library of its own: sharp is the native peer of the benches, and miniflare names it too.
  /^@img\/sharp-(libvips-|win32-|wasm32$)/,
  // MPL-2.0: checks the demo page in tests, unchanged, and goes nowhere from there.
  /^axe-core$/,
  // MPL: Vite brings it, as it does to everyone who uses Vite. CC-BY: the data of browsers that webpack and Next.js consult, and
  // of licenses, which Angular's command line brings.
  /^lightningcss(-|$)/,
  /^caniuse-lite$/,
  /^spdx-exceptions$/,
  // Python-2.0, a permissive license: YAML for Astro. MIT, which its package.json does not say: Astro brings it.
  /^argparse$/,
  /^zod-to-ts$/,
  // MIT, which only its Readme says: tus-js-client brings it, which tests the server.
  /^combine-errors$/,
];

const installed = lockFiles().flatMap(packagesOf);
const refused = installed
  .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ""), license }))
  .filter(({ name, license }) => !isPermissive(license) && !EXCEPTIONS.some((pattern) => pattern.test(name)));

for (const { name, license } of refused) console.error(`npm licenses: ${name} is under ${license ?? "an unnamed license"}`);
if (installed.length === 0) throw new Error("the lock files list no package");
console.log(`npm licenses: ${installed.length} packages, ${refused.length} refused`);
process.exitCode = refused.length > 0 ? 1 : 0;

/** One side of every OR and all sides of every AND; what nests them is left to a person, as an exception. */
function isPermissive(expression = "") {
  const alternatives = expression.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return alternatives.some((alternative) => alternative.split(" AND ").every((id) => PERMISSIVE.has(id)));
}

function lockFiles() {
  const projects = readdirSync(join(root, CONSUMERS), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = ["package-lock.json", "scripts/docs/package-lock.json", ...projects.map(({ name }) => join(CONSUMERS, name, "package-lock.json"))];
  return files.map((file) => join(root, file)).filter((file) => existsSync(file));
}

/** Path and entry of every package that a lock file names, without the project itself. */
function packagesOf(file) {
  const { packages } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(packages).filter(([path]) => path !== "");
}
