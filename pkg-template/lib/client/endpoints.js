// The calls of a client, by resource. Each validates its arguments; the engine runs it.
import { invalid } from "../options.js";
import { createPhaseProgress } from "./phase-progress.js";
import { createPayload, readCall, readCreate, readId, refOf, toBlob } from "./arguments.js";
import { toFile, toFiles, toTask, toTasks } from "./resources.js";
import { readJson, readMembers, readText, readWhole } from "./client-options.js";

/** The calls of `client.files`. */
export function createFiles({ run, list, download }) {
  return {
    create: async (file, options) => {
      const { size, format } = readMembers("file", file, ["size", "format"]);
      const given = readCreate(options);
      if (size === undefined) throw invalid("file.size", "is missing");
      const call = { size: readWhole("file.size", size, 0, 1, Number.MAX_SAFE_INTEGER), format: readText("file.format", format) };
      return toFile(await run("files.create", { ...call, key: given.key }, given));
    },
    upload: async (file, bytes, options) => {
      const given = readCall(options, ["onProgress"]);
      const body = toBlob(bytes);
      const report = createPhaseProgress(given.onProgress, body.size, { upload: [0, 1] });
      report("upload", 0);
      const payload = createPayload(body, given.onProgress && report);
      await run("files.upload", { ...refOf(file, "upload"), size: body.size }, { signal: given.signal, payload });
      report("upload", body.size);
    },
    get: async (id, options) => toFile(await run("files.get", { id: readId("id", id) }, readCall(options))),
    list: (options) => list("files.list", toFiles, options),
    delete: async (file, options) => void (await run("files.delete", { id: refOf(file, "self").id }, readCall(options))),
    download: async (file, options) => {
      const { as = "blob", signal, onProgress } = readCall(options, ["as", "onProgress"]);
      const ref = refOf(file, "download");
      return download(ref, { as, signal, onProgress, size: file.size, type: file.format });
    },
  };
}

/** The calls of `client.tasks`. */
export function createTasks({ run, list }) {
  return {
    create: async (task, options) => {
      const names = ["input", "inputs", "format", "settings", "public", "callbackUrl"];
      const { input, inputs, format = {}, settings, public: shown, callbackUrl } = readMembers("task", task, names);
      const given = readCreate(options);
      const types = readMembers("task.format", format, ["input", "output"]);
      if (shown !== undefined && typeof shown !== "boolean") throw invalid("task.public", "must be true or false");
      const read = (name) => readText(`task.format.${name}`, types[name]);
      const wanted = { input: read("input"), output: read("output") };
      const files = inputs === undefined ? refOf(input, "self") : { inputs: readInputs(inputs, input) };
      const call = { ...files, format: wanted.input ?? wanted.output ? wanted : undefined, settings: readJson("task.settings", settings), public: shown };
      const callback_url = readText("task.callbackUrl", callbackUrl);
      return toTask(await run("tasks.create", { ...call, callback_url, key: given.key }, given));
    },
    get: async (id, options) => toTask(await run("tasks.get", { id: readId("id", id) }, readCall(options))),
    wait: async (task, options) => {
      const { signal, onProgress, timeout } = readCall(options, ["onProgress", "timeout"]);
      const limit = readWhole("timeout", timeout, undefined, 1, Number.MAX_SAFE_INTEGER);
      const report = createPhaseProgress(onProgress, 0, { process: [0, 1] });
      const notify = onProgress && ((_, ratio) => report("process", 0, 0, ratio));
      const { id } = refOf(task, "self");
      return withTask(run("tasks.wait", { id, limit }, { signal, notify })).then(toTask);
    },
    list: (options) => list("tasks.list", toTasks, options),
    cancel: async (task, options) => toTask(await run("tasks.cancel", { id: refOf(task, "self").id }, readCall(options))),
  };
}

/** The identifiers of several input files. */
function readInputs(inputs, input) {
  if (!Array.isArray(inputs) || input !== undefined) throw invalid("task.inputs", "must be an array of files, without task.input");
  return inputs.map((file) => ({ type: "files", id: refOf(file, "self").id }));
}

/** Converts the task of a `task_failed` error from its document. */
export async function withTask(promise) {
  try {
    return await promise;
  } catch (thrown) {
    if (thrown?.task) thrown.task = toTask(thrown.task);
    throw thrown;
  }
}
