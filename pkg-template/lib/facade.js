// The public functions, created once per platform from:
//   load(build)          resolves to the package's own module of a build
//   compile(source)      resolves to the module of a source given to `init`
//   glue(build)          resolves to the wasm-bindgen glue of a build, for the calling thread
//   hasPhoto()           whether the platform uses the photo build; otherwise the core build does its work
//   start(glue, module)  creates an instance inside the glue
//   createRunner(builds) returns a function that runs jobs, in a pool of workers or inline
// None of them is called before the first call of a public function, so that importing the package has no side effects.
import { abortable, throwIfAborted } from "./abort.js";
import { inputLimit } from "./response-body.js";
import { createBuilds } from "./builds.js";
import { CONVERT } from "./client/convert-symbol.js";
import { OptionsError } from "./errors.js";
import { toFormat } from "./formats.js";
import { readBlob, readHead, readInput } from "./input.js";
import { invalid, readOptions, withJsOptions } from "./options.js";
import { createProgress } from "./progress.js";
import { createResult } from "./result.js";
import { toFilepressError } from "./error-conversion.js";

/** Limits of this device, which a service may not have. */
const OVER_LOCAL_LIMIT = ["input_too_large", "too_many_pixels", "too_much_memory"];

/** The public functions, and `remote`, which resolves to the engine for clients. */
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
      const source = await abortable(signal, readInput(input, inputLimit({ settings }), signal));
      const plan = await planImage(source, settings, signal, "inspected");
      // Reading a header takes little memory.
      const { report } = await run({ ...plan, memory: 0 }, source, { call: "inspect", settings, signal });
      return report;
    });
  }

  async function score(original, other, options) {
    const { signal, settings } = readOptions(options, ["signal", "background", "limits"]);
    return settle(signal, async () => {
      const both = async (work) => Promise.all([about("original", work(0)), about("other", work(1))]);
      const inputs = [original, other];
      const sources = await abortable(signal, both(async (side) => readInput(inputs[side], inputLimit({ settings }), signal)));
      // The memory of a comparison is that of `quality: "auto"`.
      const measured = { ...settings, quality: "auto" };
      const plans = await both((side) => planImage(sources[side], measured, signal, "compared"));
      const [plan, { inputType: otherType, memory }] = plans;
      const [source, { blob, bytes }] = sources;
      const beside = { other: bytes ?? (await abortable(signal, about("other", readBlob(blob)))), otherType };
      const job = { call: "score", settings: { ...settings, ...beside }, signal };
      const { report } = await run({ ...plan, memory: plan.memory + memory }, source, job);
      return report;
    });
  }

  async function formats() {
    return settle(undefined, async () => (await (await builds.engine("client")).call("formats")).map(toFormat));
  }

  async function init(source) {
    return settle(undefined, () => builds.init(source));
  }

  function make(input, call) {
    const { signal, onProgress, client, engine } = call;
    return settle(signal, async () => {
      const source = await abortable(signal, readInput(input, inputLimit(call), signal));
      const progress = createProgress(onProgress, source.size);
      progress("load", 0);
      try {
        const plan = await planFor(source, call, signal);
        if (plan.engine === "remote") return await makeRemote(source, plan, call, []);
        return await makeLocal(source, plan, call, progress);
      } catch (thrown) {
        if (!client || engine === "local" || !OVER_LOCAL_LIMIT.includes(thrown?.code) || thrown.kind !== "limits") throw thrown;
        const plan = await planFor(source, { ...call, engine: "remote" }, signal);
        const message = `${thrown.message} It went to the service.`;
        return makeRemote(source, plan, call, [{ code: "over_local_limit", message }]);
      }
    });
  }

  async function makeLocal(source, plan, { signal, onProgress, as, settings }, progress) {
    // The engine reports "done" before the result is complete.
    const onStage = onProgress && ((stage, ratio) => stage !== "done" && progress(stage, ratio));
    const { bytes, report } = await run(plan, source, { call: "process", settings, onStage, signal });
    const result = createResult(source, bytes, report, await formats(), as);
    progress("done", 1);
    return result;
  }

  async function makeRemote(source, plan, { settings: { metadata }, task, client, ...call }, warnings) {
    return client[CONVERT]({ ...call, source, plan, metadata, settings: task, warnings, formats: await formats() });
  }

  /** Plans a call on the calling thread, from the first bytes of the input. */
  async function planFor(source, { settings, engine, client }, signal) {
    const head = await abortable(signal, readHead(source));
    const planner = await abortable(signal, builds.engine("client"));
    const options = { ...settings, engine };
    const asked = planner.call("plan", head, source.size, source.type, source.name, options, client !== undefined);
    return abortable(signal, asked).catch(withJsOptions);
  }

  /** The plan for an input that must be an image; `done` is the verb for the error message. */
  async function planImage(source, settings, signal, done) {
    // Every image can be converted to JPEG, which needs the smallest builds.
    return planFor(source, { settings: { ...settings, to: "image/jpeg" } }, signal).catch(async (thrown) => {
      // Audio cannot be converted to an image; planned without a conversion, it rejects with `needs_service`.
      const unpaired = thrown?.code === "unsupported_pair";
      const refusal = unpaired ? await planFor(source, { settings }, signal).catch((own) => own) : thrown;
      if (refusal?.code !== "needs_service") throw refusal;
      throw new OptionsError("needs_service", `Only images are ${done}; this is video, audio or PDF.`, refusal);
    });
  }

  async function run({ build, inputType, memory: need }, source, { call, settings, onStage, signal }) {
    runner ??= platform.createRunner(builds);
    const job = { call, source, type: inputType, settings, need };
    try {
      return await runner(build, job, onStage, signal);
    } catch (thrown) {
      // Some needs are only found while reading the file, such as a color profile that has to be applied.
      const needed = thrown?.code === "not_in_build" && thrown.details?.build;
      if (!needed || needed === build) throw thrown;
      return runner(needed, job, onStage, signal);
    }
  }

  return { compress, convert, inspect, score, formats, init, remote: builds.remote };
}

/** Awaits work on one of the two files of a comparison, and adds the file to its error's details. */
async function about(file, work) {
  try {
    return await work;
  } catch (thrown) {
    const error = toFilepressError(thrown);
    // Errors of options concern both files.
    if (!("option" in error.details)) error.details = { ...error.details, file };
    throw error;
  }
}

/** Runs `work`. Rejects with the signal's reason, or a FilepressError. */
async function settle(signal, work) {
  throwIfAborted(signal);
  try {
    return await work();
  } catch (thrown) {
    throwIfAborted(signal);
    throw toFilepressError(thrown);
  }
}
