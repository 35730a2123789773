// Runs the installed command line in temporary project folders, which are deleted when the process ends.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createConsumer } from "./consumer.mjs";
import { sample } from "./samples.mjs";

export const consumer = createConsumer();
export const program = join(consumer.folder, "node_modules", ".bin", "filepress");
export const api = await consumer.import();
export const photo = Buffer.from(await sample("baseline.jpg"));
export const png = Buffer.from(await sample("rgb.png"));

/** A new folder with these files, in the project's, which goes with it. */
export function folderOf(files) {
  const folder = mkdtempSync(join(consumer.folder, "work-"));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

/** The program's end, when it has come. */
export function run(cwd, args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, input, maxBuffer: 2 ** 28 });
  return { status, stdout, stderr: stderr.toString(), lines: stdout.toString().split("\n").slice(0, -1) };
}

/** Paths of all files in a folder and below it. */
export function files(folder) {
  const names = readdirSync(folder, { recursive: true });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

/** What the package itself makes of an input. */
export const compressed = async (input, options) => Buffer.from(await (await api.compress(input, options)).bytes());
