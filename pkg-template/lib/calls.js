// The work of each public function, with options that were read: opens the input, plans, runs the job, and makes the result.
import { abortable, throwIfAborted } from "./abort.js";
import { CONVERT } from "./client/convert-symbol.js";
import { describeError, toFilepressError } from "./error-conversion.js";
import { InputError } from "./errors.js";
import { readBytes } from "./input.js";
import { FARBFELD, fromFarbfeld } from "./pixels.js";
import { createProgress } from "./progress.js";
import { createResult } from "./result.js";
import { createStageProgress } from "./stage-progress.js";

/** Limits of this device, which a server may not have. */
const OVER_LOCAL_LIMIT = ["input_too_large", "too_many_pixels", "too_much_memory"];

/** The most workers there are, and so the most files that are worked on at once. */
const AT_ONCE = 8;

/** Compresses or converts a file: on this device, or by the client's server. */
export async function makeFile(dispatcher, input, call) {
  const { signal, onProgress, client, engine } = call;
  const [opened, overlaid] = await abortable(signal, Promise.all([dispatcher.open(input, call), readOverlay(dispatcher, call)]));
  const progress = createProgress(onProgress, opened.size);
  progress("load", 0);
  const callOf = (source) => ({ ...call, settings: withDefaultType(source, overlaid) });
  try {
    // A file that has to be decoded first is then at a third of the work.
    const onStage = onProgress && ((stage, ratio) => progress(stage, ratio / 3));
    const [source, plan] = await planFile(dispatcher, opened, { ...call, onStage }, callOf);
    if (plan.engine === "remote") return await makeRemote(dispatcher, source, plan, callOf(source), []);
    return await makeLocal(dispatcher, source, plan, callOf(source), progress);
  } catch (thrown) {
    if (!client || engine === "local" || !OVER_LOCAL_LIMIT.includes(thrown?.code) || thrown.kind !== "limits") throw thrown;
    const remotely = (source) => dispatcher.plan(source, { ...callOf(source), engine: "remote" }, signal);
    const [source, plan] = await dispatcher.planReadable(opened, call, remotely);
    const message = `${thrown.message} It went to the server.`;
    return makeRemote(dispatcher, source, plan, callOf(source), [{ code: "over_local_limit", message }]);
  }
}

/** Resolves to the source and its plan. An image of a type that nothing on this device decodes is one for the server, which may read it. */
async function planFile(dispatcher, opened, call, callOf) {
  const { signal, client, engine } = call;
  const plan = (source, changes) => dispatcher.plan(source, { ...callOf(source), ...changes }, signal);
  try {
    return await dispatcher.planReadable(opened, call, (source) => plan(source));
  } catch (thrown) {
    if (thrown?.code !== "needs_decoder" || !client || engine === "local") throw thrown;
    // Of a type that no server reads, this is the same error.
    return [opened, await plan(opened, { engine: "remote" })];
  }
}

/** The settings for a source, which may have a type that is taken where none is asked for. */
export const withDefaultType = ({ defaultType }, settings) => (defaultType ? { to: defaultType, ...settings } : settings);

async function makeLocal(dispatcher, source, plan, { signal, onProgress, as, name, settings }, progress) {
  const { bytes, report } = await runWatched(dispatcher, plan, source, { settings, signal }, onProgress && progress);
  const result = createResult(source, bytes, report, await dispatcher.formats(), { as, name, settings });
  progress("done", 1);
  return result;
}

/** Runs a planned job, and reports its stages to `progress` if there is one. */
async function runWatched(dispatcher, plan, source, { settings, signal }, progress) {
  const stages = progress && createStageProgress(progress);
  try {
    return await dispatcher.run(plan, source, { call: "process", settings, onStage: stages?.onStage, signal });
  } finally {
    stages?.stop();
  }
}

async function makeRemote(dispatcher, source, plan, { settings: { metadata }, task, client, ...call }, warnings) {
  return client[CONVERT]({ ...call, source, plan, metadata, settings: task, warnings, formats: await dispatcher.formats() });
}

/**
 * The settings with the bytes of the image of an overlay, which can be any input. `images` has those that the call has read: of a stream,
 * the first output would leave nothing for the others.
 */
export async function readOverlay(dispatcher, { settings, images, ...call }) {
  const { overlay } = settings;
  const image = overlay?.image;
  if (!image) return settings;
  if (!images.has(image)) images.set(image, about("overlay", dispatcher.open(image, { settings, ...call }).then(readBytes)));
  return { ...settings, overlay: { ...overlay, image: await images.get(image) } };
}

/** As many files at once as there can be workers; the others are not even read. */
export async function makeAll(dispatcher, inputs, call) {
  const queue = filesOf(inputs).entries();
  const outcomes = [];
  const work = async () => {
    for (const [index, input] of queue) {
      const onProgress = call.onProgress && ((event) => call.onProgress({ ...event, index }));
      const one = settle(call.signal, () => makeFile(dispatcher, input, { ...call, onProgress }));
      outcomes[index] = await one.then((value) => ({ status: "fulfilled", value }), (reason) => ({ status: "rejected", reason }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  throwIfAborted(call.signal);
  return outcomes;
}

function filesOf(inputs) {
  try {
    if (typeof inputs !== "string" && typeof inputs?.[Symbol.iterator] === "function" && !ArrayBuffer.isView(inputs)) return [...inputs];
  } catch (cause) {
    throw new InputError("unreadable_input", `The inputs cannot be listed (${describeError(cause)}).`, { cause });
  }
  throw new InputError("unreadable_input", "The inputs must be an array, a FileList or another iterable of inputs.");
}

/** farbfeld has a fixed layout and no profile, so the pixels are sRGB. */
export async function decodeImage(dispatcher, input, { signal, onProgress, settings }) {
  const opened = await abortable(signal, dispatcher.open(input, { settings, signal }));
  const progress = createProgress(onProgress, opened.size);
  progress("load", 0);
  const decoded = (each) => dispatcher.planImage(each, settings, signal, "decoded", FARBFELD);
  const [source, plan] = await dispatcher.planReadable(opened, { settings, signal }, decoded);
  const call = { settings: { ...settings, to: FARBFELD }, signal };
  const { bytes } = await runWatched(dispatcher, plan, source, call, onProgress && progress);
  const pixels = fromFarbfeld(bytes ?? (await readBytes(source)));
  progress("done", 1);
  return pixels;
}

export async function inspectImage(dispatcher, input, { signal, settings }) {
  const opened = await abortable(signal, dispatcher.open(input, { settings, signal }));
  const inspected = (each) => dispatcher.planImage(each, settings, signal, "inspected");
  const [source, plan] = await dispatcher.planReadable(opened, { settings, signal, inspects: true }, inspected);
  // Reading a header takes little memory.
  const { report } = await dispatcher.run({ ...plan, memory: 0 }, source, { call: "inspect", settings, signal });
  const { type, build } = { ...report, ...source.original };
  return { ...report, type, build };
}

export async function compareImages(dispatcher, inputs, { signal, settings }) {
  const both = async (work) => Promise.all([about("original", work(0)), about("other", work(1))]);
  const opened = await abortable(signal, both(async (side) => dispatcher.open(inputs[side], { settings, signal })));
  // The memory of a comparison is that of `quality: "auto"`.
  const measured = { ...settings, quality: "auto" };
  const compared = (each) => dispatcher.planImage(each, measured, signal, "compared");
  const planned = await both((side) => dispatcher.planReadable(opened[side], { settings, signal }, compared));
  const [[source, plan], [other, { inputType: otherType, memory }]] = planned;
  const beside = { other: await abortable(signal, about("other", readBytes(other))), otherType };
  const job = { call: "score", settings: { ...settings, ...beside }, signal };
  const { report } = await dispatcher.run({ ...plan, memory: plan.memory + memory }, source, job);
  return report;
}

/** Awaits work on one of the two files of a comparison, or on an overlay, and adds the file to its error's details. */
async function about(file, work) {
  try {
    return await work;
  } catch (thrown) {
    const error = toFilepressError(thrown);
    // Errors of options concern the call.
    if (!("option" in error.details)) error.details = { ...error.details, file };
    throw error;
  }
}

/** Runs `work`. Rejects with the signal's reason, or a FilepressError. */
export async function settle(signal, work) {
  throwIfAborted(signal);
  try {
    return await work();
  } catch (thrown) {
    throwIfAborted(signal);
    throw toFilepressError(thrown);
  }
}
