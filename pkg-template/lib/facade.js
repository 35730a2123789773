// The public functions, made once per platform from that platform's own parts:
//   load(build)         the package's own wasm, as a module
//   compile(source)     a module of what `init` was given
//   glue(build)         the JavaScript around a build, for use on the calling thread
//   start(glue, module) puts an instance into a glue
//   createRunner(builds) a function that runs jobs: in a pool of workers, or inline
// Nothing of it is touched before the first call, so that importing the package is safe anywhere.
import { abortable, throwIfAborted } from "./abort.js";
import { createBuilds } from "./builds.js";
import { readHead, readInput } from "./input.js";
import { invalid, readOptions } from "./options.js";
import { createProgress } from "./progress.js";
import { createResult } from "./result.js";
import { toError } from "./thrown.js";

export function createFacade(platform) {
  const builds = createBuilds(platform);
  let runner;

  async function compress(input, options) {
    return make(input, readOptions(options));
  }

  async function convert(input, to, options) {
    const { settings, ...call } = readOptions(options);
    if (typeof to !== "string") throw invalid("to", "must be a media type or a file extension");
    if ("to" in settings) throw invalid("to", "is the second argument of convert, not one of its options");
    return make(input, { ...call, settings: { ...settings, to } });
  }

  async function inspect(input, options) {
    const { signal, settings } = readOptions(options, ["signal", "limits"]);
    return settle(signal, async () => {
      const source = await abortable(signal, readInput(input));
      // A type that can be written anywhere, so that types which can only be read are planned as well.
      const plan = await planFor(source, { ...settings, to: "image/png" }, signal);
      const { report } = await run(plan, source, { call: "inspect", settings, signal });
      return report;
    });
  }

  async function formats() {
    return settle(undefined, async () => (await builds.engine("client")).call("formats"));
  }

  async function init(source) {
    return settle(undefined, () => builds.init(source));
  }

  function make(input, { signal, onProgress, settings }) {
    return settle(signal, async () => {
      const source = await abortable(signal, readInput(input));
      const progress = createProgress(onProgress, source.size);
      progress("load", 0);
      const plan = await planFor(source, settings, signal);
      // The engine's own "done" comes before there is a result.
      const onStage = onProgress && ((stage, ratio) => stage !== "done" && progress(stage, ratio));
      const { bytes, report } = await run(plan, source, { call: "process", settings, onStage, signal });
      const result = createResult(source, bytes, report, await formats());
      progress("done", 1);
      return result;
    });
  }

  /** Decides on the calling thread, from the head of the input alone, what is to be done and which build can do it. */
  async function planFor(source, settings, signal) {
    const head = await abortable(signal, readHead(source));
    const planner = await abortable(signal, builds.engine("client"));
    return abortable(signal, planner.call("plan", head, source.size, source.type, source.name, settings));
  }

  async function run({ build, inputType }, source, { call, settings, onStage, signal }) {
    runner ??= platform.createRunner(builds);
    const job = { call, source, type: inputType, settings };
    try {
      return await runner(build, job, onStage, signal);
    } catch (thrown) {
      // Some needs show only deep in a file, past what was planned from: a colour profile that has to be applied, say.
      if (build === "full" || thrown?.code !== "not_in_build") throw thrown;
      return runner("full", job, onStage, signal);
    }
  }

  return { compress, convert, inspect, formats, init };
}

/** Runs `work`; what it rejects with is the signal's reason, or an error of ours. */
async function settle(signal, work) {
  throwIfAborted(signal);
  try {
    return await work();
  } catch (thrown) {
    throwIfAborted(signal);
    throw toError(thrown);
  }
}
