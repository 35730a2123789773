// Where results go: beside the input, into a folder, to a file, to standard output. Each path is given once a run.
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { fileName } from "../lib/file-name.js";

export const STANDARD_OUTPUT = Symbol("standard output");

/**
 * `inputs`: all of this run, none of which is written over by the result of another. `several`: more than one result may come, so
 * that `out` is a folder. `types`: what `formats` of the package says.
 * Gives `{ expected(input), claim(input, name) }`, paths or STANDARD_OUTPUT.
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

  /** Where the result will be, as far as the input's name tells; throws where something is there already. */
  function expected(input) {
    const path = place(input, input.name === undefined ? "" : renamed(fileName(input.name) ?? ""));
    if (path !== STANDARD_OUTPUT) reserve(path, input);
    return free(path, input);
  }

  /** A path is the first input's that would go there, so that the order of the command line decides. */
  function reserve(path, input) {
    const owner = claimed.get(resolve(path)) ?? input;
    if (owner !== input) throw taken(path, `is the result of ${owner.shown}; make one of them elsewhere by --out`);
    claimed.set(resolve(path), input);
  }

  /** Where the result of that name goes. Throws where something is there already, or was put there by this run. */
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
    if (!statSync(path).isFile()) throw taken(path, "is no file that could be written over");
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

/** The file itself, by whatever name it is called. */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether `out` is a folder by its name or on the disk. */
export function isFolder(out) {
  if (/[\\/]$/.test(out)) return true;
  try {
    return statSync(out).isDirectory();
  } catch {
    // Not there, or below what is no folder: writing will tell.
    return false;
  }
}

/** Something is at `path` already. */
export function taken(path, why = "exists; --force writes over it") {
  return Object.assign(new Error(`${path} ${why}`), { code: "output_exists" });
}

function noPlace() {
  return Object.assign(new Error("there is no place beside a pipe; --out says where its result goes"), { code: "no_output" });
}

function beside(name) {
  const extension = extname(name);
  return `${name.slice(0, name.length - extension.length)}.min${extension}`;
}
