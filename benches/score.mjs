// Asks benches/score, a small Rust program, for SSIMULACRA2. Cargo builds it when it is not built yet.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const crate = fileURLToPath(new URL("score/Cargo.toml", import.meta.url));

/**
 * @param {string} reference path of a JPEG or PNG.
 * @param {string[]} pictures paths of such files.
 * @param {"srgb" | "linear"} [shrunk] scale the reference to each picture's size first, in this light.
 * @returns {string[]} one score a picture, two decimals.
 */
export function scores(reference, pictures, shrunk) {
  const cargo = ["run", "--release", "--locked", "--quiet", "--manifest-path", crate, "--"];
  const flags = shrunk ? ["--shrunk", shrunk] : [];
  const printed = execFileSync("cargo", [...cargo, ...flags, reference, ...pictures], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return printed.trim().split("\n");
}
