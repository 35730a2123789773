// The runtimes in which the same call must give the same bytes, each as `run(bytes, options)` to an outcome. Node and
// the native build also have `make`, which returns the bytes.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { createEngineProject } from "./browser-project.mjs";
import { outcome, outcomeOf } from "./outcome.mjs";
import { bundle, startWorker } from "./workerd.mjs";

const outcomeScript = fileURLToPath(new URL("./outcome.mjs", import.meta.url));

export async function inNode(consumer) {
  const { compress } = await consumer.import();
  const run = async (bytes, options) => outcomeOf(await compress(bytes, options));
  const make = async (bytes, options) => (await compress(bytes, options)).bytes();
  return { run, make, close() {} };
}

/** In a browser of engines.mjs. */
export async function inEngine(launch, consumer) {
  const made = new Map();
  const browser = await launch();
  const { page, close } = await createEngineProject(consumer, browser, made).open();
  const run = (bytes, options) => {
    made.set("/input", bytes);
    return page.evaluate((options) => outcomeAt("/input", options), options);
  };
  return { run, close: () => close().then(() => browser.close()) };
}

export async function inWorkerd(consumer) {
  copyFileSync(outcomeScript, join(consumer.folder, "outcome.mjs"));
  const script = consumer.write("worker.mjs", `
    import { compress } from "filepress";
    import { outcomeOf } from "./outcome.mjs";
    export default {
      async fetch(request) {
        const options = JSON.parse(request.headers.get("x-options"));
        const bytes = await request.arrayBuffer();
        return Response.json(await compress(bytes, options).then(outcomeOf, ({ name, message }) => ({ error: name + ": " + message })));
      },
    };`);
  const worker = await startWorker((await bundle(script)).modules);
  const run = async (bytes, options) => (await worker.post("/", bytes, { "x-options": JSON.stringify(options) })).json();
  return { run, close: worker.close };
}

/** The program examples/process.rs; the Makefile builds it and says in FILEPRESS_NATIVE where it is. */
export function natively() {
  const program = env.FILEPRESS_NATIVE;
  if (!program || !existsSync(program)) {
    throw new Error(`FILEPRESS_NATIVE must name the built example "process" (it is ${program ? `${program}, which is not there` : "not set"}): run \`make test-package\``);
  }
  const folder = mkdtempSync(join(tmpdir(), "filepress-native-"));
  const [input, output] = ["input", "output"].map((name) => join(folder, name));
  const process = (bytes, options) => {
    writeFileSync(input, bytes);
    const { status, stdout, stderr, error } = spawnSync(program, [input, JSON.stringify(options), output], { encoding: "utf8" });
    if (error || status !== 0) throw new Error(`${program} ended with ${status}: ${error ?? stderr}`);
    return { made: readFileSync(output), report: JSON.parse(stdout) };
  };
  const run = async (bytes, options) => {
    const { made, report } = process(bytes, options);
    return outcome(made, report);
  };
  const make = async (bytes, options) => process(bytes, options).made;
  return { run, make, close: () => rmSync(folder, { recursive: true }) };
}
