// Lengths of files, functions and the README, circles among modules, and the layers of the engine: prints each violation, and fails
// if there is one.
//
// Not counted: tests (`tests.rs`, folders named `tests`, items under `#[cfg(test)]`), the rows of tables (a `const` or
// `static` of Rust, a `const` in capitals of JavaScript, each from its first to its last line).
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { circlesOf, rustImports, scriptImports } from "./shape/imports.mjs";
import { upwardImports } from "./shape/layers.mjs";
import { countedRust, countedScript, rustFunctions, scriptFunctions } from "./shape/lengths.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MOST_LINES_OF_FILE = 300;
const MOST_LINES_OF_FUNCTION = 60;
const MOST_LINES_OF_README = 130;
const RUST = ["src", "wire/src", "text/src", "codecs", "server/src", "fuzz/src"];
const JAVASCRIPT = ["action", "pkg-template", "www", "scripts", "benches"];

const violations = [];
const report = (place, what) => violations.push({ place, what });

for (const root of RUST) {
  const files = filesIn(root, /\.rs$/).filter((path) => !/(^|\/)tests(\/|\.rs$)/.test(path));
  const baseOf = (path) => path.slice(0, path.indexOf("src/") + 4);
  for (const base of new Set(files.map(baseOf))) {
    const modules = new Map(files.filter((path) => baseOf(path) === base).map((path) => [path, read(path)]));
    for (const [path, text] of modules) checkLengths(path, countedRust(text), rustFunctions);
    const imports = rustImports(base, modules);
    reportCircles(imports);
    if (base === "src/") for (const [path, upper] of upwardImports(imports)) report(path, `a lower layer that imports ${upper}`);
  }
}
const scripts = new Map(JAVASCRIPT.flatMap((root) => filesIn(root, /\.m?js$/)).map((path) => [path, read(path)]));
for (const [path, text] of scripts) checkLengths(path, countedScript(text), scriptFunctions);
reportCircles(scriptImports(scripts));
const readme = read("README.md").trimEnd().split("\n").length;
if (readme > MOST_LINES_OF_README) report("README.md", `${readme} lines`);

for (const { place, what } of violations) console.log(`${place}: ${what}`);
console.log(`${scripts.size} scripts, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;

function read(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

function filesIn(root, pattern) {
  const names = readdirSync(join(ROOT, root), { recursive: true });
  return names.map((name) => join(root, name)).filter((path) => pattern.test(path) && !/node_modules|\/target\//.test(path)).sort();
}

function checkLengths(path, lines, functions) {
  const counted = lines.filter((line) => line !== undefined).length;
  if (counted > MOST_LINES_OF_FILE) report(path, `${counted} lines`);
  for (const { name, length } of functions(lines)) {
    if (length > MOST_LINES_OF_FUNCTION) report(`${path} ${name}`, `a function of ${length} lines`);
  }
}

function reportCircles(imports) {
  for (const circle of circlesOf(imports)) report(`${circle[0]} circle`, `these import one another: ${circle.join(", ")}`);
}
