// Files that are whole or not there: written beside under a name of their own, then named.
import { randomBytes } from "node:crypto";
import { createWriteStream, fchmodSync, openSync, rmSync } from "node:fs";
import { access, link, mkdir, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { STANDARD_OUTPUT, taken } from "./output-paths.js";

const unfinished = new Set();

/** Deletes what is written at this moment: for the end of the process. */
export function discardUnfinished() {
  for (const path of unfinished) rmSync(path, { force: true });
}

/**
 * Writes the bytes of a stream. With `force` a file at `path` is replaced, and its permissions stay; without it, it is an error
 * of code `output_exists`, and is left alone.
 */
export async function write(path, stream, force) {
  if (path === STANDARD_OUTPUT) return pipeline(stream, process.stdout, { end: false });
  const target = force ? await realpath(path).catch(() => path) : path;
  await makeFolder(dirname(target));
  const replaced = force ? await stat(target).catch(() => undefined) : undefined;
  const temporary = join(dirname(target), `.filepress-${randomBytes(8).toString("hex")}.part`);
  // At once: a file that is being opened when the process ends could not be deleted any more.
  const fd = openSync(temporary, "wx");
  unfinished.add(temporary);
  try {
    if (replaced) fchmodSync(fd, replaced.mode & 0o777);
    await pipeline(stream, createWriteStream(temporary, { fd, flush: true }));
    await (force ? rename(temporary, target) : name(temporary, target));
  } finally {
    await rm(temporary, { force: true });
    unfinished.delete(temporary);
  }
}

async function makeFolder(path) {
  await mkdir(path, { recursive: true }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
    throw Object.assign(new Error(`${path} is no folder`), { code: "ENOTDIR" });
  });
}

/** Gives the file its name unless something has it: a link refuses that in one step. Some file systems have no links. */
async function name(temporary, path) {
  try {
    await link(temporary, path);
  } catch (error) {
    if (error.code === "EEXIST" || (await exists(path))) throw taken(path);
    await rename(temporary, path);
  }
}

const exists = (path) => access(path).then(() => true, () => false);
