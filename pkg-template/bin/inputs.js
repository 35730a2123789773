// Expands the inputs of the command line to files: { shown, name, path, base, inside, many, piped, fault }. `base` is the folder that the
// file was found in, as it was named or as a pattern begins; `inside` the path of the file's folder relative to it, to be kept below
// --out; `many` says that it was found by a folder or pattern, or stands for one in which nothing was found; `piped` that it can be read
// only once and no result can be written beside it. Missing files and unreadable folders are inputs too: they fail with the error
// `fault` when they are opened.
import { constants, createReadStream, openAsBlob } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { STANDARD_INPUT } from "./arguments.js";
import { glob, isPattern } from "./glob.js";
import { isInside } from "./output-paths.js";
import { isIgnored, rulesAbove, withRulesOf } from "./ignore.js";

/**
 * `extensions`: extensions of files that are used from folders, lower case, with a dot. `out`: the output folder, which folders and patterns leave out.
 * `useIgnoreFiles`: whether node_modules and what .gitignore names are left out of folders.
 * Resolves to `{ inputs, several, skipped }`: `several` says whether there may be more than one input, if not yet; `skipped` are the
 * paths in folders with other extensions.
 */
export async function findInputs(texts, { extensions, out, useIgnoreFiles = true }) {
  const skipped = [];
  const wanted = { extensions, skipped, excluded: out === undefined ? undefined : resolve(out), useIgnoreFiles };
  const found = [];
  for (const text of texts) for (const input of await expand(text, wanted)) found.push(input);
  const inputs = [...new Map(found.map((input) => [identity(input), input])).values()];
  return { inputs, several: inputs.length > 1 || found.some(({ many }) => many), skipped };
}

/** NAME.min.EXT, which is the name of a result beside its input. */
const RESULT = /\.min\.[^.\\/]+$/;

/** The same for all ways to write one path. */
const identity = ({ path }) => (path === STANDARD_INPUT ? path : resolve(path));

async function expand(text, wanted) {
  if (text === STANDARD_INPUT) return [{ shown: "standard input", path: STANDARD_INPUT, inside: "" }];
  const facts = await stat(text).catch(() => undefined);
  if (facts?.isDirectory()) {
    const files = await filesOf(text, wanted, wanted.useIgnoreFiles ? rulesAbove(text) : undefined);
    if (files.length > 0) return files.map(({ path, fault }) => ({ ...fileIn(text, path, true), fault }));
    return [missing(fileIn(dirname(text), text, true), "the folder has no files of supported formats")];
  }
  if (facts || !isPattern(text)) return [{ ...fileIn(dirname(text), text), piped: isPipe(text, facts) }];
  const { base, paths: matching } = await glob(text);
  const paths = withoutResults(matching, text, base, wanted.excluded);
  if (paths.length > 0) return paths.map((path) => fileIn(base, path, true));
  return [missing(fileIn(dirname(text), text, true), "no file matches")];
}

/** The paths that a pattern matches, without the results of earlier runs, unless the pattern names their folder or `min.` itself. */
function withoutResults(paths, pattern, base, excluded) {
  const leavesOut = excluded !== undefined && !isInside(resolve(base), excluded);
  const others = leavesOut ? paths.filter((path) => !isInside(resolve(path), excluded)) : paths;
  return /\bmin\.[^\\/]*$/.test(pattern) ? others : others.filter((path) => !RESULT.test(path));
}

/** Whether the path is a named pipe, or a file descriptor as a shell passes it for `<(…)`. */
const isPipe = (path, facts) => facts?.isFIFO() || /^\/(?:dev|proc\/\w+)\/fd\//.test(resolve(path));

const missing = (input, why) => ({ ...input, fault: Object.assign(new Error(why), { code: "no_match" }) });

function fileIn(base, path, many = false) {
  return { shown: path, name: basename(path), path, base, inside: relative(base, dirname(path)), many };
}

/**
 * Files of a folder and its subfolders, as { path }. Hidden files, results of earlier runs (NAME.min.EXT) and what `inherited` rules
 * ignore (undefined: nothing) are left out. A folder that cannot be read is returned as { path, fault }.
 */
async function filesOf(folder, wanted, inherited) {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (fault) {
    return [{ path: folder, fault }];
  }
  const rules = inherited && withRulesOf(folder, inherited);
  const shown = entries.filter(({ name }) => !name.startsWith(".")).sort((one, other) => (one.name < other.name ? -1 : 1));
  const lists = await Promise.all(shown.map((entry) => {
    const path = join(folder, entry.name);
    if (rules && isIgnored({ path, name: entry.name, isFolder: entry.isDirectory() }, rules)) return [];
    if (entry.isDirectory()) return resolve(path) === wanted.excluded ? [] : filesOf(path, wanted, rules);
    if (RESULT.test(path)) return [];
    if (wanted.extensions.has(extname(path).toLowerCase())) return [{ path }];
    wanted.skipped.push(path);
    return [];
  }));
  return lists.flat();
}

/** Opens an input as a File. Its bytes are read when they are needed. */
export async function openInput({ path, name, piped, fault }) {
  if (path === STANDARD_INPUT) return new Blob(await process.stdin.toArray());
  if (fault) throw explain(fault, path);
  if (piped) return new File(await createReadStream(path).toArray(), name);
  const facts = await stat(path).catch((error) => Promise.reject(explain(error, path)));
  if (!facts.isFile()) throw Object.assign(new Error("not a file, folder or pipe"), { code: "no_file" });
  // A Blob of a file that cannot be read does not say why.
  await access(path, constants.R_OK);
  return new File([await openAsBlob(path)], name);
}

/** Node replaces the bytes of a name that are no UTF-8, so there is no file of the name that it returns. */
function explain(error, path) {
  if (error.code !== "ENOENT" || !path.includes("\ufffd")) return error;
  return Object.assign(new Error("the name is not valid UTF-8; rename it"), { code: "invalid_name" });
}
