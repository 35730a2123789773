// Chooses where results are written: beside the input, into a folder, to a file, or to standard output. Each path is used once per run.
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileName } from "../lib/file-name.js";

export const STANDARD_OUTPUT = Symbol("standard output");

/**
 * `inputs`: all inputs, none of which is overwritten by the result of another. `several`: there may be more than one
 * result, so `out` is a folder. `template`: the names of results, if they are not those of the package. `existing`: what happens to a
 * path that exists (see arguments.js). `types`: the result of `formats()`.
 * A job is `{ input, variant }`. Returns `{ expected, claim }`. Both return `{ path, skip }`: `path` may be STANDARD_OUTPUT; `skip` says why nothing is to be written
 * there, if so: `exists`, `newer`, `link` or `duplicate`. Both throw for a path that cannot be written.
 */
export function createOutputPaths({ out, existing, inPlace, template, inputs, several, types }) {
  const claimed = new Map();
  const read = new Map(inputs.map((input) => [realPath(input.path), input]));
  const intoFolder = out !== undefined && (several || isFolder(out));

  function place(input, name, size) {
    if (inPlace) return input.path;
    if (out === "-" || (out === undefined && input.path === "-")) return STANDARD_OUTPUT;
    if (out !== undefined && !intoFolder) return out;
    if (out === undefined && input.piped) throw noPlace();
    const folder = out === undefined ? dirname(input.path) : join(out, input.inside);
    if (template !== undefined) return join(folder, fillTemplate(template, name, size));
    return join(folder, out === undefined && name === fileName(input.name) ? beside(name) : name);
  }

  /** The path of a job's result as predicted from the input's name, the format, and the result's `size`, if that is known. */
  function expected(job, size) {
    const { input, variant } = job;
    if (needsSize(template) && size === undefined) return { path: undefined };
    return settle(place(input, input.name === undefined ? "" : renamed(fileName(input.name) ?? "", variant.to), size), job);
  }

  /** The path of a finished result: its `name` from the package, and its size. */
  function claim(job, { name, width, height }) {
    return settle(place(job.input, name, { width, height }), job);
  }

  /** Reserves a path for the first job that would write there, so that the order of the command line decides. */
  function settle(path, job) {
    if (path === STANDARD_OUTPUT) return { path };
    const owner = claimed.get(resolve(path)) ?? job;
    if (owner.input !== job.input) throw taken(path, `is the result of ${owner.input.shown}; use --out for one of them`);
    claimed.set(resolve(path), owner);
    return { path, skip: owner === job ? skipReason(path, job.input) : "duplicate" };
  }

  function skipReason(path, input) {
    if (!existsSync(path) || statSync(path).isDirectory()) return undefined;
    if (inPlace && input.many && isBehindLink(input)) return "link";
    if (existing === "skip") return "exists";
    if (existing === "newer" && statSync(path).mtimeMs >= statSync(input.path).mtimeMs) return "newer";
    if (existing === "fail" && !inPlace) throw taken(path);
    if ((read.get(realPath(path)) ?? input) !== input) throw taken(path, "is another input of this run");
    if (!statSync(path).isFile()) throw taken(path, "is not a regular file");
    return undefined;
  }

  function renamed(name, to) {
    const extensions = types.find(({ type, extensions }) => type === to || extensions.includes(to))?.extensions;
    const own = extname(name);
    if (!extensions || extensions.includes(own.slice(1).toLowerCase())) return name;
    return `${name.slice(0, name.length - own.length)}.${extensions[0]}`;
  }

  return { expected, claim };
}

/** Whether a template contains the size of the result. */
export const needsSize = (template) => template !== undefined && /\{(?:width|height)\}/.test(template);

function fillTemplate(template, name, { width = "", height = "" } = {}) {
  const extension = extname(name);
  const values = { name: name.slice(0, name.length - extension.length), ext: extension.slice(1), width, height };
  return template.replaceAll(/\{(\w+)\}/g, (_, key) => values[key]);
}

/** Whether a file is a link, or was found by a link that leads out of the folder that the user named. */
function isBehindLink({ path, base }) {
  return lstatSync(path).isSymbolicLink() || !isInside(realPath(path), realPath(base));
}

/** Whether the path is the folder or lies in it. Both are absolute. */
export function isInside(path, folder) {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path with symbolic links resolved. */
export function realPath(path) {
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
export function taken(path, why = "exists; use --force to overwrite it, or --skip-existing") {
  return Object.assign(new Error(`${path} ${why}`), { code: "output_exists" });
}

function noPlace() {
  return Object.assign(new Error("a result cannot be written beside a pipe; use --out"), { code: "no_output" });
}

function beside(name) {
  const extension = extname(name);
  return `${name.slice(0, name.length - extension.length)}.min${extension}`;
}
