// Glob patterns, for shells that do not expand them: *, ?, [abc], [!abc], {a,b} within a name, and ** for any number of folders.
// A lower-case extension also matches in upper case. Hidden files only match patterns that begin with a dot.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "./usage-error.js";

const MAGIC = /[*?[\]{}]/;

export const isPattern = (text) => MAGIC.test(text);

/** Resolves to `{ base, paths }`: the folder before the first wildcard, and the sorted files. On Windows a backslash is a separator. */
export async function glob(pattern, { windows = process.platform === "win32" } = {}) {
  const parts = (windows ? pattern.replaceAll("\\", "/") : pattern).split("/");
  const first = parts.findIndex(isPattern);
  const base = baseOf(parts.slice(0, first), windows);
  const names = parts.slice(first).filter((part) => part !== "");
  if (names.at(-1) === "**") names.push("*");
  const found = { windows, paths: new Set(), walked: new Set() };
  await walk(base, names, found);
  return { base, paths: [...found.paths].sort() };
}

/** The path of the folder with these parts. */
function baseOf(parts, windows) {
  if (parts.length === 0) return ".";
  const path = parts.join("/");
  // C: alone is the current folder of that drive.
  return path === "" || (windows && /^[A-Za-z]:$/.test(path)) ? `${path}/` : path;
}

async function walk(folder, parts, found) {
  const { windows, paths, walked } = found;
  // Several ** reach the same folder in many ways.
  const place = `${parts.length} ${folder}`;
  if (walked.has(place)) return;
  walked.add(place);
  const [part, ...rest] = parts;
  const entries = await list(folder);
  if (part === "**") {
    await walk(folder, rest, found);
    for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))) {
      await walk(join(folder, name), parts, found);
    }
    return;
  }
  const matches = matcher(part, windows);
  // Cameras write IMG_1.JPG.
  const fits = (name) => matches.test(name) || (rest.length === 0 && matches.test(withLowerExtension(name)));
  for (const entry of entries.filter(({ name }) => fits(name) && (!name.startsWith(".") || part.startsWith(".")))) {
    const path = join(folder, entry.name);
    if (rest.length > 0) await walk(path, rest, found);
    else if (!entry.isDirectory()) paths.add(path);
  }
}

/** The entries of a folder; none if it is not a folder or cannot be read. */
async function list(folder) {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

const withLowerExtension = (name) => name.replace(/\.[^.]+$/, (extension) => extension.toLowerCase());

/** Bounds backtracking: each further * multiplies the ways to match a name. */
const MAX_STARS = 4;

/** The regular expression for one segment of a pattern. */
function matcher(part, windows) {
  if (part.replaceAll(/\*+/g, "*").split("*").length - 1 > MAX_STARS) {
    throw new UsageError(`${part}: a name in a pattern has at most ${MAX_STARS} *`);
  }
  let depth = 0;
  const source = part.replaceAll(/\[!?[^\]]+\]|\*+|[\s\S]/g, (token) => {
    if (token.startsWith("[") && token.length > 1) return `[${token.slice(1, -1).replace(/^!/, "^").replaceAll(/[\\[]/g, "\\$&")}]`;
    if (token.startsWith("*")) return ".*";
    if (token === "?") return ".";
    if (token === "{") return (depth++, "(?:");
    if (token === "}" && depth > 0) return (depth--, ")");
    if (token === "," && depth > 0) return "|";
    return token.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
  });
  try {
    return new RegExp(`^${source}${")".repeat(depth)}$`, windows ? "is" : "s");
  } catch {
    throw new UsageError(`${part} is not a valid pattern`);
  }
}
