// Writes files atomically: to a temporary file in the same folder, which is then renamed.
import { randomBytes } from "node:crypto";
import { createWriteStream, fchmodSync, openSync, rmSync } from "node:fs";
import { access, link, mkdir, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { STANDARD_OUTPUT, taken } from "./output-paths.js";

const unfinished = new Set();

/** Deletes the temporary files of unfinished writes, before the process exits. */
export function discardUnfinished() {
  for (const path of unfinished) rmSync(path, { force: true });
}

/**
 * Writes a stream to `path`. With `force` an existing file is replaced and its permissions are kept; without it, an existing file is
 * an error with the code `output_exists`.
 */
export async function write(path, stream, force) {
  if (path === STANDARD_OUTPUT) return pipeline(stream, process.stdout, { end: false });
  const target = force ? await realpath(path).catch(() => path) : path;
  await makeFolder(dirname(target));
  const replaced = force ? await stat(target).catch(() => undefined) : undefined;
  const temporary = join(dirname(target), `.filepress-${randomBytes(8).toString("hex")}.part`);
  // Synchronous: a file still being opened when the process exits could not be deleted.
  const fd = openSync(temporary, "wx");
  unfinished.add(temporary);
  try {
    if (replaced) fchmodSync(fd, replaced.mode & 0o777);
    await pipeline(stream, createWriteStream(temporary, { fd, flush: true }));
    await (force ? rename(temporary, target) : renameExclusive(temporary, target));
  } finally {
    await rm(temporary, { force: true });
    unfinished.delete(temporary);
  }
}

async function makeFolder(path) {
  await mkdir(path, { recursive: true }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
    throw Object.assign(new Error(`${path} is not a folder`), { code: "ENOTDIR" });
  });
}

/** Renames the file unless `path` exists. A hard link fails atomically if it does; some file systems have none. */
async function renameExclusive(temporary, path) {
  try {
    await link(temporary, path);
  } catch (error) {
    if (error.code === "EEXIST" || (await exists(path))) throw taken(path);
    await rename(temporary, path);
  }
}

const exists = (path) => access(path).then(() => true, () => false);
