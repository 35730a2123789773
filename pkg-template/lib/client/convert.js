// A whole conversion by a service, as compress() and convert() hand it over: the bytes go out, the result comes back.
import { withExtension } from "../file-name.js";
import { escapeControls, escapeToLine } from "../escape-controls.js";
import { createPhaseProgress } from "./phase-progress.js";
import { createKey, createPayload } from "./arguments.js";
import { toTask } from "./resources.js";
import { readJson } from "./settings.js";

/** What each part is of the whole, by experience: the bytes of the input are most of what travels. */
const SHARES = { upload: [0, 0.4], process: [0.4, 0.9], download: [0.9, 0.99], done: [1, 1] };

/** Types that hold author and copyright beside the pixels. */
const CARRIERS = ["image/jpeg", "image/png", "image/webp", "image/avif", "image/tiff"];

/**
 * `run`, `download` and `remove` are the client's; `job` is { source, plan, metadata, settings, as, signal, onProgress, keepRemote,
 * warnings, formats }, where `metadata` is what the caller said of it, and `settings` are those for the service.
 */
export async function convertWith({ run, download, remove }, job) {
  const { source, plan, settings, as, signal, onProgress, keepRemote, formats } = job;
  const blob = source.blob ?? new Blob([source.bytes]);
  const report = createPhaseProgress(onProgress, blob.size, SHARES);
  const { inputType, outputType } = plan;
  const call = {
    size: blob.size,
    input: inputType,
    // Left out, it asks for fewer bytes of the same type.
    output: outputType === inputType ? undefined : outputType,
    settings: { ...plan.settings, ...readJson("settings", settings) },
    key: createKey(),
  };
  /** The ids of what the service holds for this call. */
  const held = { files: [] };
  const notify = (step, value) => {
    if (step === "task") held.task = value;
    if (step === "upload") {
      held.files.push(value);
      report(step, 0);
    }
    if (step === "process") report(step, blob.size, blob.size, value);
  };
  const release = () => remove({ ...held, files: keepRemote ? [] : held.files });
  const payload = createPayload(blob, onProgress && report);
  try {
    const task = toTask(await run("convert", call, { signal, payload, notify }));
    held.task = undefined;
    held.files.push(task.output);
    const output = task.files.find(({ id }) => id === task.output);
    const type = typeOf(task.format.output ?? output?.format, formats) ?? outputType;
    const ref = { id: task.output ?? "", link: output?.links.download ?? task.links.download };
    const onLoaded = (loaded, total) => report("download", loaded, total);
    const bytes = await download(ref, { as, signal, onLoaded, onEnd: release, size: output?.size, type });
    const warnings = [...job.warnings, ...warningsOfMetadata(job, call.settings, type)];
    const result = createResult({ source, plan, task, type, warnings, formats, inputSize: blob.size });
    if (as === "stream") return { ...result, stream: bytes, outputSize: output?.size ?? 0 };
    report("done", blob.size, blob.size, 1);
    return { ...result, blob: bytes, bytes: async () => new Uint8Array(await bytes.arrayBuffer()), outputSize: bytes.size };
  } catch (thrown) {
    if (thrown?.code === "task_failed") held.task = undefined;
    // Not waited for: whoever aborts has done so at once.
    release();
    throw thrown;
  }
}

/** A media type as filepress writes it; undefined for others, as services write what they were asked for (`image/jpg`). */
function typeOf(told, formats) {
  const name = told?.split(";")[0].trim().toLowerCase();
  return formats.find(({ type }) => type === name)?.type;
}

function createResult({ source, plan, task, type, warnings, formats, inputSize }) {
  const { output, kept_original, warnings: told } = task.processingMetadata;
  const number = (name) => (output?.[name] >= 0 && output[name] <= Number.MAX_SAFE_INTEGER ? Number(output[name]) : undefined);
  const { extensions } = formats.find((format) => format.type === type) ?? { extensions: ["bin"] };
  const ignored = plan.ignored.map((option) => ({
    code: "option_ignored",
    message: `\`${option}\` has no meaning for the service here.`,
  }));
  return {
    type,
    name: withExtension(source.name, extensions, "file"),
    width: number("width"),
    height: number("height"),
    duration: number("duration"),
    pages: number("pages"),
    inputType: plan.inputType,
    inputSize,
    engine: "remote",
    keptOriginal: kept_original === true,
    warnings: [...warnings, ...ignored, ...warningsOf(told)],
    task,
  };
}

/** What is asked by `"safe"`, be it said or not, is more than a service is asked for, unless the task's own settings decide it. */
function warningsOfMetadata({ plan, metadata = "safe", settings = {} }, { strip_metadata: strips }, type) {
  const isMeant = metadata === "safe" && strips !== false && settings.strip_metadata === undefined;
  if (!isMeant || ![plan.inputType, type].every((each) => CARRIERS.includes(each))) return [];
  const message =
    "The service keeps all metadata or none: with the place, the device and all else it removed author and copyright. " +
    '`metadata: "keep"` keeps everything.';
  return [{ code: "metadata_dropped", message }];
}

/** A service's warnings, in words that can be shown. */
function warningsOf(told) {
  const isWarning = (warning) => typeof warning?.code === "string" && typeof warning.message === "string";
  if (!Array.isArray(told)) return [];
  return told.filter(isWarning).map(({ code, message }) => ({ code: escapeControls(code), message: escapeToLine(message) }));
}
