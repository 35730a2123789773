// Refuses npm packages whose licence is not permissive, tools of development included; reads package-lock.json alone.
import { readFileSync } from "node:fs";

const PERMISSIVE = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"]);

// Packages allowed all the same, each with its reason. None of them is part of what filepress ships.
const EXCEPTIONS = [
  // libvips (LGPL), as a shared library of its own: sharp is the native peer of the benches, and miniflare names it too.
  /^@img\/sharp-(libvips-|win32-|wasm32$)/,
];

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const installed = Object.entries(packages).filter(([path]) => path !== "");
const refused = installed
  .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ""), license }))
  .filter(({ name, license }) => !isPermissive(license) && !EXCEPTIONS.some((pattern) => pattern.test(name)));

for (const { name, license } of refused) console.error(`npm licences: ${name} is under ${license ?? "an unnamed licence"}`);
if (installed.length === 0) throw new Error("package-lock.json lists no package");
console.log(`npm licences: ${installed.length} packages, ${refused.length} refused`);
process.exitCode = refused.length > 0 ? 1 : 0;

/** One side of every OR and all sides of every AND; what nests them is left to a person, as an exception. */
function isPermissive(expression = "") {
  const alternatives = expression.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return alternatives.some((alternative) => alternative.split(" AND ").every((id) => PERMISSIVE.has(id)));
}
