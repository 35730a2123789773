// Lengths of files, functions and the README, and circles among modules: prints each violation, and fails if there is one.
//
// Not counted: tests (`tests.rs`, folders named `tests`, items under `#[cfg(test)]`), the rows of tables (a `const` or
// `static` of Rust, a `const` in capitals of JavaScript, each from its first to its last line).
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

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
    reportCircles(rustImports(base, modules));
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

/** The lines of a Rust file; undefined for those that are not counted. The layout of rustfmt tells where an item ends. */
function countedRust(text) {
  const lines = text.trimEnd().split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, indent, , table] = line.match(/^(\s*)(#\[cfg\(test\)\]|(?:pub(?:\([a-z]+\))? )?(const|static) [A-Z_0-9]+\b.*[[({]$)/) ?? [];
    if (indent === undefined) continue;
    const end = lines.findIndex((later, index) => index > at && endsItem(later, indent, table));
    if (end > at) lines.fill(undefined, at, end + 1);
  }
  return lines;
}

/** Whether a line ends a table, or what stands under an attribute, that begins at this indentation. */
function endsItem(line, indent, table) {
  if (line === undefined || !line.startsWith(indent)) return false;
  const rest = line.slice(indent.length);
  return table ? /^[\])}]+\)*;$/.test(rest) : /^(}|[\])}]+;|(?:pub(\(\w+\))? )?(mod|use|const|static) .*;)$/.test(rest);
}

function countedScript(text) {
  const lines = text.trimEnd().split("\n");
  for (let at = 0; at < lines.length; at++) {
    if (!/^(export )?const [A-Z_0-9]+ = .*[[({]$/.test(lines[at] ?? "")) continue;
    const end = lines.findIndex((line, index) => index > at && /^[\])}]+;$/.test(line));
    if (end > at) lines.fill(undefined, at, end + 1);
  }
  return lines;
}

/** The functions of a Rust file: from the line of `fn` to the brace at its indentation, without the tables in them. */
function rustFunctions(lines) {
  return functionsOf(lines, /^(\s*)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe |extern "C" )*fn (\w+)/);
}

function scriptFunctions(lines) {
  return functionsOf(lines, /^(\s*)(?:export )?(?:default )?(?:static )?(?:async )?(?:function\*? )?(#?\w+) ?\(.*\) \{$/).filter(({ name }) => !/^(if|for|while|switch|catch)$/.test(name));
}

function functionsOf(lines, head) {
  return lines.flatMap((line, at) => {
    const [, indent, name] = line?.match(head) ?? [];
    if (name === undefined || /[;}]$/.test(line)) return [];
    const end = lines.findIndex((later, index) => index > at && later !== undefined && (later === `${indent}}` || later === `${indent}};`));
    return end < 0 ? [] : [{ name, length: lines.slice(at, end + 1).filter((inner) => inner !== undefined).length }];
  });
}

/** The files that each Rust module names by `crate::` or `super::`; what a module takes from its own children is no import. */
function rustImports(base, modules) {
  const fileOf = (path) => {
    for (let end = path.length; end > 0; end--) {
      const stem = base + path.slice(0, end).join("/");
      for (const file of [`${stem}.rs`, `${stem}/mod.rs`]) if (modules.has(file)) return file;
    }
    return undefined;
  };
  const imports = new Map();
  for (const [path, text] of modules) {
    const code = countedRust(text).filter((line) => line !== undefined && !/^\s*\/\//.test(line)).join("\n");
    const own = path.slice(base.length).replace(/(\/mod)?\.rs$/, "").split("/");
    const named = [...code.matchAll(/\b(crate|super(?:::super)*)::((?:[a-z_0-9]+(?:::)?)+)/g)].map(([, from, rest]) => {
      const start = from === "crate" ? [] : own.slice(0, -from.split("::").length);
      return fileOf([...start, ...rest.split("::").filter(Boolean)]);
    });
    imports.set(path, new Set(named.filter((file) => file && file !== path)));
  }
  return imports;
}

function scriptImports(files) {
  const imports = new Map();
  for (const [path, text] of files) {
    const named = [...text.matchAll(/^\s*(?:import|export)\b[^"';]*?["'](\.[^"']+)["']/gm)].map(([, target]) => normalize(join(dirname(path), target)));
    imports.set(path, new Set(named.filter((file) => files.has(file))));
  }
  return imports;
}

/** Reports each set of files that import one another (Tarjan's strongly connected components). */
function reportCircles(imports) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) report(`${circle.sort()[0]} circle`, `these import one another: ${circle.join(", ")}`);
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
}
