// A complete conversion by a server, for compress() and convert(): upload, task, download.
import { withExtension } from "../file-name.js";
import { toFile } from "../result.js";
import { escapeControls, escapeToLine } from "../escape-controls.js";
import { createPhaseProgress } from "./phase-progress.js";
import { createKey, createPayload } from "./arguments.js";
import { toTask } from "./resources.js";
import { readJson } from "./client-options.js";

/** The share of each phase in the progress, estimated. */
const SHARES = { upload: [0, 0.4], process: [0.4, 0.9], download: [0.9, 0.99], done: [1, 1] };

/**
 * `run`, `download` and `cleanUp` are functions of the client; `job` is { source, plan, metadata, settings, as, name, signal,
 * onProgress, keepRemote, warnings, formats }, where `metadata` is the caller's option and `settings` are those for the server.
 */
export async function convertWith({ run, download, cleanUp }, job) {
  const { source, plan, settings, as, signal, onProgress, keepRemote, formats } = job;
  const blob = source.blob ?? new Blob([source.bytes]);
  const report = createPhaseProgress(onProgress, blob.size, SHARES);
  const { inputType, outputType } = plan;
  const call = {
    size: blob.size,
    input: inputType,
    // Without an output format, the server compresses the input in its own format.
    output: outputType === inputType ? undefined : outputType,
    settings: { ...plan.settings, ...readJson("settings", settings) },
    key: createKey(),
  };
  /** What the server holds for this call: ids of files and of the unfinished task, or a task whose creation got no answer yet. */
  const remote = { files: [] };
  const notify = (step, value) => {
    if (step === "task") Object.assign(remote, { task: value, newTask: undefined });
    if (step === "upload") {
      const { output, settings, key } = call;
      remote.newTask = { id: value, format: output && { input: call.input, output }, settings, key: `${key}-task` };
      remote.files.push(value);
      report(step, 0);
    }
    if (step === "process") report(step, blob.size, blob.size, value);
  };
  let released;
  const release = () => (released ??= cleanUp({ ...remote, files: keepRemote ? [] : remote.files }));
  const done = () => report("done", blob.size, blob.size, 1);
  const onEnd = async (isComplete) => {
    await release();
    if (isComplete && as === "stream") done();
  };
  const payload = createPayload(blob, onProgress && report);
  try {
    const task = toTask(await run("convert", call, { signal, payload, notify }));
    remote.task = undefined;
    remote.files.push(task.output);
    const output = task.files.find(({ id }) => id === task.output);
    const type = typeOf(task.format.output ?? output?.format, formats) ?? outputType;
    const ref = { id: task.output ?? "", link: output?.links.download ?? task.links.download };
    const onLoaded = (loaded, total) => report("download", loaded, total);
    const bytes = await download(ref, { as, signal, onLoaded, onEnd, size: output?.size, type });
    const warnings = [...job.warnings, ...warningsOfMetadata(job, call.settings, type)];
    const result = createResult({ source, name: job.name, plan, task, type, warnings, formats, inputSize: blob.size });
    if (as === "stream") return { ...result, stream: bytes, outputSize: output?.size ?? 0 };
    done();
    const file = toFile(bytes, result.name, source);
    return { ...result, blob: bytes, file, bytes: async () => new Uint8Array(await bytes.arrayBuffer()), outputSize: bytes.size };
  } catch (thrown) {
    if (thrown?.code === "task_failed") remote.task = undefined;
    // The server has answered, so it has no other task than the one it told of.
    if (thrown?.status !== undefined) remote.newTask = undefined;
    // Not awaited, so that an abort takes effect at once.
    release();
    throw thrown;
  }
}

/** The media type of `formats` that a server reports; undefined for unknown ones (some servers report `image/jpg`). */
function typeOf(reported, formats) {
  const name = reported?.split(";")[0].trim().toLowerCase();
  return formats.find(({ type }) => type === name)?.type;
}

function createResult({ source, name, plan, task, type, warnings, formats, inputSize }) {
  const { output, kept_original, warnings: reported } = task.processingMetadata;
  const number = (name) => (output?.[name] >= 0 && output[name] <= Number.MAX_SAFE_INTEGER ? Number(output[name]) : undefined);
  const { extensions } = formats.find((format) => format.type === type) ?? { extensions: ["bin"] };
  const ignored = plan.ignored.map((option) => ({
    code: "option_ignored",
    message: `\`${option}\` does not apply to the server.`,
  }));
  return {
    type,
    name: withExtension(name ?? source.name, extensions, "file"),
    width: number("width"),
    height: number("height"),
    duration: number("duration"),
    pages: number("pages"),
    inputType: plan.inputType,
    inputSize,
    engine: "remote",
    keptOriginal: kept_original === true,
    warnings: [...warnings, ...ignored, ...warningsOf(reported)],
    task,
  };
}

/** Under `"safe"` a server removes all metadata, even author and copyright, unless the task's settings say otherwise. */
function warningsOfMetadata({ plan, formats, metadata = "safe", settings = {} }, { strip_metadata: strips }, type) {
  const isMeant = metadata === "safe" && strips !== false && settings.strip_metadata === undefined;
  // EXIF has author and copyright.
  const carries = (each) => formats.find((format) => format.type === each)?.metadata.includes("exif");
  if (!isMeant || !carries(plan.inputType) || !carries(type)) return [];
  const message =
    "The server removed author and copyright together with location and camera details. " +
    '`metadata: "keep"` keeps all metadata.';
  return [{ code: "metadata_dropped", message }];
}

/** The server's warnings, with control characters escaped. */
function warningsOf(reported) {
  const isWarning = (warning) => typeof warning?.code === "string" && typeof warning.message === "string";
  if (!Array.isArray(reported)) return [];
  return reported.filter(isWarning).map(({ code, message }) => ({ code: escapeControls(code), message: escapeToLine(message) }));
}
