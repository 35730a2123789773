// The pairs that the server offers on this machine, parsed from its `check` command: a line for each input, followed
// by its outputs.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { program } from "../service.mjs";
import { TYPES } from "./inputs.mjs";

/** All of them as { from, to }, in the order of the interface. */
export async function offeredPairs(folder) {
  const { stdout } = await promisify(execFile)(program, ["check", "--data", folder]);
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return lines
    .filter(([from]) => TYPES.includes(from))
    .flatMap(([from, ...outputs]) => outputs.filter((to) => TYPES.includes(to)).map((to) => ({ from, to })));
}
