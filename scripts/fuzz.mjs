// Coverage-guided fuzzing (fuzz/) with libFuzzer on stable Rust: `node scripts/fuzz.mjs [TARGET] [SECONDS] [INPUT]`.
// Without TARGET, each target runs in turn. With INPUT, only that input runs, for example to reproduce a crash.
// Coverage counters are compiled into everything that runs in the target but not into build scripts, because a target
// triple is given. With SANITIZER=address and a nightly compiler, memory errors are detected too, including those of
// C code.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fuzz = join(root, "fuzz");
const pictures = join(root, "../shared/corpus");

/** The longest inputs, in bytes: a longer one takes longer, and a font is not of few bytes. */
const TARGETS = { av1: 16384, av1_encode: 4096, client: 8192, convert: 16384, decode: 16384, font: 65536, jpeg: 16384, jxl: 16384, options: 1024 };

/** What one input may take; instrumented code is several times as slow as what is shipped. */
const MOST = ["-timeout=20", "-rss_limit_mb=2048"];

const COVERAGE = [
  ...["--cfg", "fuzzing", "-Cpasses=sancov-module", "-Cllvm-args=-sanitizer-coverage-level=4"],
  ...["-Cllvm-args=-sanitizer-coverage-inline-8bit-counters", "-Cllvm-args=-sanitizer-coverage-pc-table"],
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

const sanitizer = process.env.SANITIZER;

const [asked, seconds = "60", input] = process.argv.slice(2);
const targets = asked ? [asked] : Object.keys(TARGETS);
if (!targets.every((target) => Object.hasOwn(TARGETS, target)) || !(Number(seconds) >= 1)) {
  console.error(`usage: make fuzz [TARGET=${Object.keys(TARGETS).join("|")}] [SECONDS=60] [INPUT=file]`);
  process.exit(2);
}

const built = build();
for (const target of targets) {
  const status = input ? run(target, [input]) : explore(target);
  if (status !== 0) {
    console.error(`fuzz: ${target} failed. Again, with the file named above: make fuzz TARGET=${target} INPUT=…`);
    process.exit(1);
  }
}

/** Compiles the targets; the folder that they are in. */
function build() {
  const host = /^host: (.+)$/m.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))[1];
  const folder = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), sanitizer ? `fuzz-${sanitizer}` : "fuzz");
  const bins = targets.flatMap((target) => ["--bin", target]);
  const manifest = join(fuzz, "Cargo.toml");
  const flags = sanitizer ? [...COVERAGE, `-Zsanitizer=${sanitizer}`] : COVERAGE;
  const env = { ...process.env, CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
  if (sanitizer) env.RUSTUP_TOOLCHAIN = "nightly";
  const options = ["--locked", "--manifest-path", manifest, "--target-dir", folder, "--target", host];
  const { status } = spawnSync("cargo", ["build", ...options, ...bins], { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
  return join(folder, host, "debug");
}

/** Goes on from what earlier runs found. */
function explore(target) {
  const [corpus, artifacts] = ["corpus", "artifacts"].map((name) => join(fuzz, name, target));
  for (const folder of [corpus, artifacts]) mkdirSync(folder, { recursive: true });
  const env = { ...process.env, FUZZ_SEEDS: corpus };
  if (existsSync(pictures)) env.FUZZ_PICTURES = pictures;
  const seeded = spawnSync(join(built, target), { stdio: ["ignore", "ignore", "pipe"], env });
  if (seeded.status !== 0) {
    process.stderr.write(seeded.stderr ?? "");
    return 1;
  }
  console.log(`\n=== ${target}, ${seconds} s`);
  return run(target, [
    ...[corpus, `-max_total_time=${seconds}`, `-max_len=${TARGETS[target]}`, "-print_final_stats=1", "-print_funcs=0"],
    ...[`-dict=${join(fuzz, "dictionary.txt")}`, `-artifact_prefix=${artifacts}/`],
  ]);
}

function run(target, options) {
  return spawnSync(join(built, target), [...MOST, ...options], { stdio: "inherit" }).status ?? 1;
}
