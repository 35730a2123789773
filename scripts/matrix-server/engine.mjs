// Runs the image engine of the server's binary by its `engine` subcommand, in the current folder.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { program } from "../service.mjs";

const BOUNDS = { bytes: 2 ** 28, pixels: 1e8, memory: 2 ** 30, frames: 1000 };

/** Converts bytes of a type into a file of another. */
export async function runEngine(bytes, from, to, path) {
  await inFolder(bytes, async (folder) => {
    const source = { input: "input", from, bounds: BOUNDS };
    await ask(folder, { convert: { source, output: "output", options: { to } } });
    await rename(join(folder, "output"), path);
  });
}

/** Width, height and pictures of an image, which has to be of the type. */
export function inspect(bytes, from) {
  return inFolder(bytes, async (folder) => {
    const made = await ask(folder, { inspect: { input: "input", from, bounds: BOUNDS } });
    return { size: made.input_size, frames: made.input_frames };
  });
}

async function ask(folder, request) {
  const { stdout } = await promisify(execFile)(resolve(program), ["engine", JSON.stringify(request)], { cwd: folder });
  const { made, fault } = JSON.parse(stdout);
  if (fault) throw new Error(`the engine: ${fault.code}: ${fault.detail}`);
  return made;
}

async function inFolder(bytes, work) {
  const folder = await mkdtemp(join(tmpdir(), "filepress-engine-"));
  try {
    await writeFile(join(folder, "input"), bytes instanceof Uint8Array ? bytes : await readFile(bytes));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
