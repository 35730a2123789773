// The files that the command line means: { shown, name, path, inside, many, piped }. `inside` is the folder below --out that
// keeps the structure of a folder or a pattern; `many` says that it came of one; `piped` that it can be read once, and is no
// place for a result to stand beside. A file that is not there is given all the same, and so is a folder that cannot be read;
// it fails when it is opened, `fault` being why.
import { createReadStream, openAsBlob } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { STANDARD_INPUT } from "./arguments.js";
import { glob, isPattern } from "./glob.js";

/**
 * `extensions`: those that are taken of a folder, lower case, with a dot. `out`: where results go, which is left out of a folder
 * that holds it. Gives `{ inputs, passed }`: `passed` are paths in folders whose extensions are not taken.
 */
export async function findInputs(texts, extensions, out) {
  const passed = [];
  const wanted = { extensions, passed, left: out === undefined ? undefined : resolve(out) };
  const found = [];
  for (const text of texts) for (const input of await expand(text, wanted)) found.push(input);
  return { inputs: [...new Map(found.map((input) => [identity(input), input])).values()], passed };
}

/** What two ways of writing one path have in common. */
const identity = ({ path }) => (path === STANDARD_INPUT ? path : resolve(path));

async function expand(text, wanted) {
  if (text === STANDARD_INPUT) return [{ shown: "standard input", path: STANDARD_INPUT, inside: "" }];
  const facts = await stat(text).catch(() => undefined);
  if (facts?.isDirectory()) {
    const files = await filesOf(text, wanted);
    if (files.length > 0) return files.map(({ path, fault }) => ({ ...fileIn(text, path, true), fault }));
    return [missing(fileIn(text, text), "there is no file in this folder that is taken")];
  }
  if (facts || !isPattern(text)) return [{ ...fileIn(dirname(text), text), piped: isPipe(text, facts) }];
  const { base, paths } = await glob(text);
  if (paths.length > 0) return paths.map((path) => fileIn(base, path, true));
  return [missing(fileIn(dirname(text), text), "no file matches")];
}

/** A named pipe, or what a shell makes of `<(…)`. Whatever a descriptor leads to, its name is that of no file. */
const isPipe = (path, facts) => facts?.isFIFO() || /^\/(?:dev|proc\/\w+)\/fd\//.test(resolve(path));

const missing = (input, why) => ({ ...input, fault: Object.assign(new Error(why), { code: "no_match" }) });

function fileIn(base, path, many = false) {
  return { shown: path, name: basename(path), path, inside: relative(base, dirname(path)), many };
}

/**
 * Files of a folder and of those in it, as { path }; no hidden ones, and none that an earlier run has put beside its input. A folder
 * that cannot be read stands in their place, as { path, fault }.
 */
async function filesOf(folder, wanted) {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (fault) {
    return [{ path: folder, fault }];
  }
  const shown = entries.filter(({ name }) => !name.startsWith(".")).sort((one, other) => (one.name < other.name ? -1 : 1));
  const lists = await Promise.all(shown.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return resolve(path) === wanted.left ? [] : filesOf(path, wanted);
    if (/\.min\.[^.]+$/.test(path)) return [];
    if (wanted.extensions.has(extname(path).toLowerCase())) return [{ path }];
    wanted.passed.push(path);
    return [];
  }));
  return lists.flat();
}

/** The input as a File: of a path, its bytes are read when they are needed. */
export async function openInput({ path, name, piped, fault }) {
  if (path === STANDARD_INPUT) return new Blob(await process.stdin.toArray());
  if (fault) throw fault;
  if (piped) return new File(await createReadStream(path).toArray(), name);
  const facts = await stat(path);
  if (!facts.isFile()) throw Object.assign(new Error("neither a file, a folder nor a pipe"), { code: "no_file" });
  return new File([await openAsBlob(path)], name);
}
