// Runs every check and test of the project, and counts the tests of all runners in the last line of its output. The quick checks run
// first, one by one. Then three lanes run at the same time, because most steps leave a processor idle: bundlers, browsers and link-time
// optimization use one thread, and tests of the service wait. The lanes of native tests, when they are done, take steps from the end of the
// lane of the package. The first failure stops all lanes, and is told again at the end. A step that should test something and ran no test has failed.
import { spawn } from "node:child_process";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";

const QUICK_CHECKS = ["lint-fmt", "lint-npm", "lint-shell", "lint-types", "lint-shape", "lint-deny"];
/** What the lanes need, built once, at the same time. */
const PACKAGE = ["package"];
/** Clippy is among them, as it would wait for Cargo's lock while tests are compiled. */
const NATIVE = ["native-programs", "lint-clippy-native"];
// The corpus is not part of the repository.
const { CORPUS } = process.env;
/** What needs the package. The longest steps are the first that other lanes take, so that all end at about the same time. */
const PACKAGE_LANE = ["test-package", ...(CORPUS ? ["test-corpus"] : []), "test-client", "test-frameworks", "test-consumers", "test-page"];
/** Cargo locks a folder of compiled code while it compiles: what compiles for WebAssembly comes when the package is built. */
const ENGINE_LANE = ["test-engine", "lint-clippy-wasm", "test-wasm-node", "test-wasm-browser"];
const SERVICE_LANE = ["test-service", "test-server", "test-deb"];
const ALL_STEPS = [...QUICK_CHECKS, ...PACKAGE, ...NATIVE, ...PACKAGE_LANE, ...ENGINE_LANE, ...SERVICE_LANE];

const total = { passed: 0, failed: 0, skipped: 0 };
const report = [];
const running = new Set();
/** Lines of the step that failed, for the end of the output. */
let failure = [];
let failed = false;
/** The most lines that are told again. */
const FAILURE_LINES = 15;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    stopAll();
    process.exit(1);
  });
}

await runLane(QUICK_CHECKS);
// The variables tell make that these targets are up to date: no step builds them again while another one uses them.
const packaged = runLane(PACKAGE).then(() => (process.env.PACKAGE_BUILT = "1"));
const native = runLane(NATIVE).then(() => (process.env.NATIVE_PROGRAMS_BUILT = "1"));
const built = Promise.all([packaged, native]);
const alsoTested = (lane) => native.then(() => runLane(lane)).then(() => built).then(() => runLane(PACKAGE_LANE, "pop"));
await Promise.all([built.then(() => runLane(PACKAGE_LANE)), alsoTested(ENGINE_LANE), alsoTested(SERVICE_LANE)]);

console.table(report);
const unreached = ALL_STEPS.filter((step) => !report.some((row) => row.step === step));
if (unreached.length > 0) console.log(`not run: ${unreached.join(", ")}`);
if (!CORPUS) console.log("not run: test-corpus, for CORPUS names no folder");
for (const line of failure) console.log(line);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Runs the steps that are left, from the first on, or from the last with `take` "pop". */
async function runLane(steps, take = "shift") {
  while (steps.length > 0 && !failed) {
    const step = steps[take]();
    const start = performance.now();
    const { succeeded, output } = await make(step);
    const seconds = Math.round((performance.now() - start) / 1000);
    const counts = countTests(output);
    if (failed && !succeeded) {
      report.push({ step, result: "stopped", tests: counts.passed + counts.failed, seconds });
      return;
    }
    const verdict = judge(step, succeeded, counts);
    report.push({ step, result: verdict ?? "ok", tests: counts.passed + counts.failed, seconds });
    // A failure outside any test (a compiler, a crash) counts as one, so that the last line never says 0 then.
    if (verdict && counts.failed === 0) counts.failed = 1;
    for (const key of Object.keys(total)) total[key] += counts[key];
    if (verdict) {
      failed = true;
      failure = [`${step}:`, ...linesOfFailure(output)];
      stopAll();
    }
  }
}

/** Runs a step in a process group of its own. Its lines are printed as they come, each after the name of the step. */
function make(step) {
  console.log(`\n=== make ${step}`);
  const color = process.stdout.isTTY ? { CARGO_TERM_COLOR: "always", FORCE_COLOR: "1" } : {};
  const env = { ...process.env, ...color };
  const child = spawn("make", ["--no-print-directory", step], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.add(child);
  let output = "";
  for (const stream of ["stdout", "stderr"]) {
    let rest = "";
    const print = (lines) => lines.forEach((line) => process[stream].write(`${step} | ${line}\n`));
    child[stream].setEncoding("utf8").on("data", (text) => {
      output += text;
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      print(lines);
    });
    child[stream].on("end", () => rest && print([rest]));
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve({ succeeded: code === 0, output: stripVTControlCharacters(output) });
    });
  });
}

function stopAll() {
  for (const child of running) {
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }
}

/** Why the step failed; undefined if it succeeded. */
function judge(step, succeeded, { passed, failed }) {
  if (!succeeded) return "failed";
  if (!step.startsWith("test-")) return undefined;
  if (failed > 0) return "failed";
  return passed > 0 ? undefined : "ran no test";
}

/**
 * The first lines of what a runner of tests says of its failures ("✖ failing tests:", "failures:"), or the last ones of all.
 * Neither empty lines nor calls of a stack are among them.
 */
function linesOfFailure(output) {
  const lines = output.split("\n").filter((line) => !/^\s*(at .*)?$/.test(line));
  const start = lines.findIndex((line) => /^(✖ failing tests|failures):$/.test(line));
  return start >= 0 ? lines.slice(start + 1, start + 1 + FAILURE_LINES) : lines.slice(-FAILURE_LINES);
}

/** Adds up the summaries of cargo test and wasm-bindgen-test ("test result: …") and of node --test ("ℹ pass 3"). */
function countTests(output) {
  const sum = (pattern) => [...output.matchAll(pattern)].reduce((count, [, digits]) => count + Number(digits), 0);
  return {
    passed: sum(/^test result: .*?(\d+) passed/gm) + sum(/^ℹ pass (\d+)$/gm),
    failed: sum(/^test result: .*?(\d+) failed/gm) + sum(/^ℹ (?:fail|cancelled) (\d+)$/gm),
    skipped: sum(/^test result: .*?(\d+) ignored/gm) + sum(/^ℹ (?:skipped|todo) (\d+)$/gm),
  };
}
