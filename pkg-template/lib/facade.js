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
import { CONVERT } from "./client/convert-symbol.js";
import { Dispatcher } from "./dispatcher.js";
import { readBlob, readInput } from "./input.js";
import { invalid, readOptions } from "./options.js";
import { createProgress } from "./progress.js";
import { createResult } from "./result.js";
import { toFilepressError } from "./error-conversion.js";

/** Limits of this device, which a service may not have. */
const OVER_LOCAL_LIMIT = ["input_too_large", "too_many_pixels", "too_much_memory"];

/** The public functions, and `remote`, which resolves to the engine for clients. */
export function createFacade(platform) {
  const dispatcher = new Dispatcher(platform);
  const { builds } = dispatcher;
  const make = (input, call) => settle(call.signal, () => makeFile(dispatcher, input, call));
  return {
    compress: async (input, options) => make(input, readOptions(options)),

    async convert(input, to, options) {
      const { settings, ...call } = readOptions(options);
      if (typeof to !== "string") throw invalid("to", "must be a media type or a file extension");
      if ("to" in settings) throw invalid("to", "is the second argument of convert, not one of its options");
      return make(input, { ...call, settings: { ...settings, to } });
    },

    async inspect(input, options) {
      const call = readOptions(options, ["signal", "limits"]);
      return settle(call.signal, () => inspectImage(dispatcher, input, call));
    },

    async score(original, other, options) {
      const call = readOptions(options, ["signal", "background", "limits"]);
      return settle(call.signal, () => compareImages(dispatcher, [original, other], call));
    },

    formats: async () => settle(undefined, () => dispatcher.formats()),
    init: async (source) => settle(undefined, () => builds.init(source)),
    remote: () => builds.remote(),
  };
}

/** Compresses or converts a file: on this device, or by the client's service. */
async function makeFile(dispatcher, input, call) {
  const { signal, onProgress, client, engine } = call;
  const source = await abortable(signal, readInput(input, inputLimit(call), signal));
  const progress = createProgress(onProgress, source.size);
  progress("load", 0);
  try {
    const plan = await dispatcher.plan(source, call, signal);
    if (plan.engine === "remote") return await makeRemote(dispatcher, source, plan, call, []);
    return await makeLocal(dispatcher, source, plan, call, progress);
  } catch (thrown) {
    if (!client || engine === "local" || !OVER_LOCAL_LIMIT.includes(thrown?.code) || thrown.kind !== "limits") throw thrown;
    const plan = await dispatcher.plan(source, { ...call, engine: "remote" }, signal);
    const message = `${thrown.message} It went to the service.`;
    return makeRemote(dispatcher, source, plan, call, [{ code: "over_local_limit", message }]);
  }
}

async function makeLocal(dispatcher, source, plan, { signal, onProgress, as, settings }, progress) {
  // The engine reports "done" before the result is complete.
  const onStage = onProgress && ((stage, ratio) => stage !== "done" && progress(stage, ratio));
  const { bytes, report } = await dispatcher.run(plan, source, { call: "process", settings, onStage, signal });
  const result = createResult(source, bytes, report, await dispatcher.formats(), as);
  progress("done", 1);
  return result;
}

async function makeRemote(dispatcher, source, plan, { settings: { metadata }, task, client, ...call }, warnings) {
  return client[CONVERT]({ ...call, source, plan, metadata, settings: task, warnings, formats: await dispatcher.formats() });
}

async function inspectImage(dispatcher, input, { signal, settings }) {
  const source = await abortable(signal, readInput(input, inputLimit({ settings }), signal));
  const plan = await dispatcher.planImage(source, settings, signal, "inspected");
  // Reading a header takes little memory.
  const { report } = await dispatcher.run({ ...plan, memory: 0 }, source, { call: "inspect", settings, signal });
  return report;
}

async function compareImages(dispatcher, inputs, { signal, settings }) {
  const both = async (work) => Promise.all([about("original", work(0)), about("other", work(1))]);
  const sources = await abortable(signal, both(async (side) => readInput(inputs[side], inputLimit({ settings }), signal)));
  // The memory of a comparison is that of `quality: "auto"`.
  const measured = { ...settings, quality: "auto" };
  const plans = await both((side) => dispatcher.planImage(sources[side], measured, signal, "compared"));
  const [plan, { inputType: otherType, memory }] = plans;
  const [source, { blob, bytes }] = sources;
  const beside = { other: bytes ?? (await abortable(signal, about("other", readBlob(blob)))), otherType };
  const job = { call: "score", settings: { ...settings, ...beside }, signal };
  const { report } = await dispatcher.run({ ...plan, memory: plan.memory + memory }, source, job);
  return report;
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
