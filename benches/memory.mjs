// The peak memory of a case, in a fresh process for each library.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = fileURLToPath(new URL("memory-probe.mjs", import.meta.url));

/**
 * @param {string} peer its id, or "none" for a process that only reads the picture.
 * @param {{ id: string, width?: number }} work
 * @param {number} [quality]
 * @param {string} path of the picture.
 * @returns {Promise<{ wasm: number, process: number }>} in bytes; `wasm` is 0 for native code.
 */
export async function peakMemory(peer, { id, width }, quality, path) {
  const args = [program, peer, id, JSON.stringify({ quality, width }), path];
  const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: "utf8" });
  return JSON.parse(stdout.trim().split("\n").at(-1));
}
