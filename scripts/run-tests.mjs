// Runs every check and test of the project, cheapest first, stops at the first that fails, and counts the tests of all
// runners in one last line. A step that should test something and ran no test has failed.
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const CHECKS = ["lint-fmt", "lint-npm", "lint-shell", "lint-types", "lint-shape", "lint-deny", "lint-clippy", "package"];
const TESTS = [
  ...["test-native", "test-wasm-node", "test-wasm-browser", "test-package", "test-consumers"],
  ...["test-frameworks", "test-page", "test-server", "test-client"],
];
// The corpus is no part of the repository.
const { CORPUS } = process.env;
if (CORPUS) TESTS.push("test-corpus");

const total = { passed: 0, failed: 0, skipped: 0 };
const report = [];

for (const step of [...CHECKS, ...TESTS]) {
  const start = performance.now();
  const { succeeded, output } = await make(step);
  const counts = countTests(output);
  const verdict = judge(step, succeeded, counts);
  const seconds = Math.round((performance.now() - start) / 1000);
  report.push({ step, result: verdict ?? "ok", tests: counts.passed + counts.failed, seconds });
  // What fails outside any test (a compiler, a crash) is one failure of its own: the last line never says 0 then.
  if (verdict && counts.failed === 0) counts.failed = 1;
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (verdict) break;
}

console.table(report);
const unreached = [...CHECKS, ...TESTS].slice(report.length);
if (unreached.length > 0) console.log(`not run: ${unreached.join(", ")}`);
if (!CORPUS) console.log("not run: test-corpus, for CORPUS names no folder");
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

function make(step) {
  console.log(`\n=== make ${step}`);
  const color = process.stdout.isTTY ? { CARGO_TERM_COLOR: "always", FORCE_COLOR: "1" } : {};
  const env = { ...process.env, ...color };
  const child = spawn("make", ["--no-print-directory", step], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8").on("data", (text) => {
      output += text;
      process[stream].write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ succeeded: code === 0, output: stripVTControlCharacters(output) }));
  });
}

/** Why the step failed; undefined when it did not. */
function judge(step, succeeded, { passed, failed }) {
  if (!succeeded) return "failed";
  if (!TESTS.includes(step)) return undefined;
  if (failed > 0) return "failed";
  return passed > 0 ? undefined : "ran no test";
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
