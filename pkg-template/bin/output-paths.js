// Chooses where results are written: beside the input, into a folder, to a file, or to standard output. Each path is used once per run.
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { fileName } from "../lib/file-name.js";

export const STANDARD_OUTPUT = Symbol("standard output");

/**
 * `inputs`: all inputs of this run, none of which is overwritten by the result of another. `several`: there may be more than one
 * result, so `out` is a folder. `types`: the result of `formats()`.
 * Returns `{ expected(input), claim(input, name) }`, which return a path or STANDARD_OUTPUT.
 */
export function createOutputPaths({ out, force, to, inputs, several, types }) {
  const claimed = new Map();
  const read = new Map(inputs.map((input) => [realPath(input.path), input]));
  const intoFolder = out !== undefined && (several || isFolder(out));

  function place(input, name) {
    if (out === "-" || (out === undefined && input.path === "-")) return STANDARD_OUTPUT;
    if (out !== undefined) return intoFolder ? join(out, input.inside, name) : out;
    if (input.piped) throw noPlace();
    return join(dirname(input.path), name === fileName(input.name) ? beside(name) : name);
  }

  /** The path of the result as predicted from the input's name. Throws if it exists. */
  function expected(input) {
    const path = place(input, input.name === undefined ? "" : renamed(fileName(input.name) ?? ""));
    if (path !== STANDARD_OUTPUT) reserve(path, input);
    return free(path, input);
  }

  /** Reserves a path for the first input that would be written there, so that the order of the command line decides. */
  function reserve(path, input) {
    const owner = claimed.get(resolve(path)) ?? input;
    if (owner !== input) throw taken(path, `is the result of ${owner.shown}; use --out for one of them`);
    claimed.set(resolve(path), input);
  }

  /** The path of the result with that name. Throws if it exists or belongs to another input of this run. */
  function claim(input, name) {
    const path = place(input, name);
    if (path === STANDARD_OUTPUT) return path;
    reserve(path, input);
    return free(path, input);
  }

  function free(path, input) {
    if (path === STANDARD_OUTPUT || !existsSync(path) || statSync(path).isDirectory()) return path;
    if (!force) throw taken(path);
    if ((read.get(realPath(path)) ?? input) !== input) throw taken(path, "is another input of this run");
    if (!statSync(path).isFile()) throw taken(path, "is not a regular file");
    return path;
  }

  function renamed(name) {
    const extensions = types.find(({ type, extensions }) => type === to || extensions.includes(to))?.extensions;
    const own = extname(name);
    if (!extensions || extensions.includes(own.slice(1).toLowerCase())) return name;
    return `${name.slice(0, name.length - own.length)}.${extensions[0]}`;
  }

  return { expected, claim };
}

/** The path with symbolic links resolved. */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether `out` is a folder, by its name or on disk. */
export function isFolder(out) {
  if (/[\\/]$/.test(out)) return true;
  try {
    return statSync(out).isDirectory();
  } catch {
    // Does not exist, or its parent is not a folder: writing will fail.
    return false;
  }
}

/** The error for a path that is in use. */
export function taken(path, why = "exists; use --force to overwrite it") {
  return Object.assign(new Error(`${path} ${why}`), { code: "output_exists" });
}

function noPlace() {
  return Object.assign(new Error("a result cannot be written beside a pipe; use --out"), { code: "no_output" });
}

function beside(name) {
  const extension = extname(name);
  return `${name.slice(0, name.length - extension.length)}.min${extension}`;
}
