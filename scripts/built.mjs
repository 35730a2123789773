// Finds the package that `make package` built, and imports it by its own `exports`, as a user would.
import { existsSync, readFileSync } from "node:fs";

/** Folder of the built package, as a URL that ends with a slash. */
export const packageFolder = new URL("../dist/package/", import.meta.url);

/** The built package's package.json. Throws where the package has not been built. */
export function manifest() {
  const file = new URL("package.json", packageFolder);
  if (!existsSync(file)) throw new Error("dist/package is not there: run `make package` first");
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The package's public module for a condition of its `exports`: "node", "browser", "workerd". */
export function importBuilt(condition = "node") {
  return import(new URL(manifest().exports["."][condition], packageFolder).href);
}
