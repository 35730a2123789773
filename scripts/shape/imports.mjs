// Which files of a crate or a package import which.
import { dirname, join, normalize } from "node:path";
import { countedRust } from "./lengths.mjs";

/**
 * The files that each Rust module names by `crate::` or `super::`; what a module takes from its own children is no import. `modules` has the
 * text of each file by its path, which begins with `base`.
 */
export function rustImports(base, modules) {
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
    const named = [...code.matchAll(/\b(crate|super(?:::super)*)::/g)].flatMap(({ 0: { length }, 1: from, index }) => {
      const start = from === "crate" ? [] : own.slice(0, -from.split("::").length);
      return pathsOf(code.slice(index + length)).filter((path) => path.length > 0).map((path) => fileOf([...start, ...path]));
    });
    imports.set(path, new Set(named.filter((file) => file && file !== path)));
  }
  return imports;
}

/** The paths of a tree such as `a::{b, c::{self, D}}` at the start of `code`: a, b; a, c; a, c. Names of types are left out. */
function pathsOf(code) {
  const [head] = /^\s*(?:[a-z_0-9]+(?:::)?)*/.exec(code);
  const path = head.trim().split("::").filter((name) => name !== "" && name !== "self");
  if (code[head.length] !== "{" || (path.length > 0 && !head.endsWith("::"))) return [path];
  return membersOf(code.slice(head.length)).flatMap((member) => pathsOf(member)).map((rest) => [...path, ...rest]);
}

/** What stands between the commas of the braces that `code` begins with. */
function membersOf(code) {
  const members = [""];
  let depth = 0;
  for (const character of code) {
    if (character === "}" && --depth === 0) break;
    if (character === "," && depth === 1) members.push("");
    else if (depth > 0) members[members.length - 1] += character;
    if (character === "{") depth += 1;
  }
  return members;
}

export function scriptImports(files) {
  const imports = new Map();
  for (const [path, text] of files) {
    const named = [...text.matchAll(/^\s*(?:import|export)\b[^"';]*?["'](\.[^"']+)["']/gm)].map(([, target]) => normalize(join(dirname(path), target)));
    imports.set(path, new Set(named.filter((file) => files.has(file))));
  }
  return imports;
}

/** Each set of files that import one another (Tarjan's strongly connected components). */
export function circlesOf(imports) {
  const circles = [];
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
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}
