// Builds one WebAssembly build of the crate with wasm-pack into dist/wasm/<build>/. Skipped if none of its inputs
// changed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const INPUTS = [
  ...[".cargo", "assets", "build.rs", "Cargo.lock", "Cargo.toml", "package-lock.json", "scripts/package/wasm.mjs", "scripts/wasm-pack"],
  ...["codecs", "src", "text", "wire"],
];

/**
 * Where size goes before speed: all of `client`, which touches no pixel and is loaded first; and in `avif` and `full` this crate, which
 * takes none of the time of AVIF, with the generic code of the decoders in it: `core` is for speed.
 */
const OPTIMIZATION = {
  client: ['profile.release.package.filepress.opt-level="z"', 'profile.release.opt-level="z"'],
  photo: [],
  photo_avif: ['profile.release.package.filepress.opt-level="s"'],
  avif: ['profile.release.package.filepress.opt-level="s"'],
  core: [],
  full: ['profile.release.package.filepress.opt-level="s"'],
  jxl: ['profile.release.package.filepress.opt-level="z"'],
};

/**
 * Limits of LLVM's inliner, in instructions. What is run once need not be fast in `photo` and `core`, which pages load: functions that do not ask
 * to be inlined are only if they are small, hot ones say `#[inline]`. In `full`, that wish counts for less.
 */
const INLINING = { photo: ["-inline-threshold=50"], core: ["-inline-threshold=75"], full: ["-inlinehint-threshold=62"] };

/**
 * Passes of wasm-opt other than those of Cargo.toml. `client` has its control flow written anew, which makes it 0.7 % smaller. `photo` and `core`
 * are optimized until nothing changes. In `jxl`, `-O3` takes more than six minutes.
 */
const WASM_OPT = { client: "-Os --flatten --rereloop -Os -Oz --converge", photo: "-O3 --converge", core: "-O3 --converge", jxl: "-O2" };

/** Cargo adds these to those of .cargo/config.toml. */
const RUSTFLAGS = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

export const wasmFolder = (build) => `dist/wasm/${build}`;

/**
 * Builds the crate with the one feature `build`: leaves filepress.js and filepress_bg.wasm in its folder. `named` is for profiles:
 * the same code with the names of its functions, in a folder of its own.
 */
export function buildWasm(build, { named = false, folder = wasmFolder(build) } = {}) {
  const stamp = join(folder, "inputs.sha256");
  const inputs = hashInputs();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) {
    console.log(`package: ${build} is up to date`);
    return;
  }
  console.log(`package: building ${build}`);
  rmSync(folder, { recursive: true, force: true });
  execFileSync("wasm-pack", wasmPackArguments(build, folder, named), { stdio: "inherit", env: environment(build) });
  writeFileSync(stamp, inputs);
}

function wasmPackArguments(build, folder, named) {
  const files = ["--no-pack", "--no-typescript", "--no-gitignore", "--out-dir", folder, "--out-name", "filepress"];
  const cargo = ["--locked", "--no-default-features", "--features", build, ...OPTIMIZATION[build].flatMap((setting) => ["--config", setting])];
  return ["build", named ? "--profiling" : "--release", "--target", "web", "--mode", "no-install", ...files, ".", "--", ...cargo];
}

/** wasm-pack takes cargo, wasm-bindgen and wasm-opt (npm's binaryen) from PATH, where wrappers of ours stand before them. */
function environment(build) {
  const tools = resolve(process.env.FILEPRESS_TOOLS ?? ".tools");
  const path = [resolve("scripts/wasm-pack"), join(tools, "bin"), resolve("node_modules/.bin"), process.env.PATH];
  const passes = WASM_OPT[build] && { FILEPRESS_WASM_OPT: WASM_OPT[build] };
  // Cargo keeps one result for all flags, and would compile every dependency again where they changed.
  const compiled = process.env.CARGO_TARGET_DIR ?? "target";
  const folders = INLINING[build] && { CARGO_TARGET_DIR: resolve(compiled, `inlined-${build}`) };
  return { ...process.env, ...passes, ...folders, [RUSTFLAGS]: rustFlags(build), FILEPRESS_TOOLS: tools, PATH: path.join(delimiter) };
}

function rustFlags(build) {
  const limits = (INLINING[build] ?? []).map((limit) => `-Cllvm-args=${limit}`);
  return [process.env[RUSTFLAGS] ?? withoutHome(), ...limits].join(" ");
}

/** The words of a panic name the file that it happened in: without this, by its path on the machine of the build. As in the Makefile. */
function withoutHome() {
  const home = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  return `--remap-path-prefix=${home}/registry/src=crates`;
}

function hashInputs() {
  const hash = createHash("sha256").update(execFileSync("rustc", ["--version", "--verbose"]));
  for (const path of INPUTS.flatMap(filesUnder)) hash.update(`${path}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  const inside = readdirSync(path, { recursive: true }).map((name) => join(path, name));
  return inside.filter((file) => statSync(file).isFile()).sort();
}
