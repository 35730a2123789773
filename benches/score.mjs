// Measures SSIMULACRA2 by benches/score, a small Rust program. Cargo builds it when needed.
import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const crate = fileURLToPath(new URL("score/Cargo.toml", import.meta.url));
const build = ["build", "--release", "--locked", "--quiet", "--message-format", "json", "--manifest-path", crate];
// For this machine alone: without its fused multiplication the scores are the same to two decimals and take three times as long.
const env = { ...process.env, CARGO_PROFILE_RELEASE_OPT_LEVEL: "3", RUSTFLAGS: "-C target-cpu=native" };

let program;

/**
 * @param {string} reference path of a JPEG or PNG.
 * @param {string[]} pictures paths of such files.
 * @param {"srgb" | "linear"} [shrunk] scale the reference to each picture's size first, in this light.
 * @returns {string[]} one score a picture, two decimals.
 */
export function scores(reference, pictures, shrunk) {
  const printed = execFileSync(built(), args(reference, pictures, shrunk), { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return lines(printed);
}

/** The same, without holding up what else goes on. */
export async function scoresBeside(reference, pictures, shrunk) {
  const { stdout } = await promisify(execFile)(built(), args(reference, pictures, shrunk), { encoding: "utf8" });
  return lines(stdout);
}

/** The program's path. */
function built() {
  if (!program) {
    const messages = execFileSync("cargo", build, { encoding: "utf8", env, stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 26 });
    program = lines(messages).map((line) => JSON.parse(line).executable).findLast((path) => path);
  }
  return program;
}

function args(reference, pictures, shrunk) {
  return [...(shrunk ? ["--shrunk", shrunk] : []), reference, ...pictures];
}

function lines(printed) {
  return printed.trim().split("\n");
}
