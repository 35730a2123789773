// `variants`: several outputs of one file, made of one decoded picture where that is possible (src/image/variants.rs). The work is
// divided among as many workers as there are, each of which decodes for itself. What waits for a worker holds no memory.
import { abortable, throwIfAborted } from "./abort.js";
import { readOverlay, withDefaultType } from "./calls.js";
import { toFilepressError } from "./error-conversion.js";
import { stemOf } from "./file-name.js";
import { invalid, isPlainObject, readOptions } from "./options.js";
import { createProgress } from "./progress.js";
import { createResult } from "./result.js";
import { createStageProgress } from "./stage-progress.js";

/** What an entry cannot set, because it belongs to the whole call. */
const OF_CALL = ["signal", "onProgress", "client", "engine", "as", "settings", "keepRemote", "limits", "onlyIfSmaller"];

/** The function `variants`, apart from the others: a page that does not use it does not load it. */
export function createVariants({ dispatcher }) {
  return async function* variants(input, entries, options) {
    const { onlyIfSmaller, call, list } = read(entries, options);
    const { signal } = call;
    throwIfAborted(signal);
    try {
      const fallback = {};
      const outputs = make(dispatcher, input, call, list, fallback);
      yield* onlyIfSmaller ? smallerThanFallback(outputs, fallback) : outputs;
    } catch (thrown) {
      throwIfAborted(signal);
      throw toFilepressError(thrown);
    }
  };
}

/** The options of the call, and the settings and the name of each entry. */
function read(entries, options) {
  const { settings, ...call } = readOptions(options);
  const { onlyIfSmaller = false, ...shared } = settings;
  if (typeof onlyIfSmaller !== "boolean") throw invalid("onlyIfSmaller", "must be true or false");
  if (call.client !== undefined) throw invalid("client", "has no meaning for variants");
  if (call.engine === "remote") throw invalid("engine", 'must not be "remote" for variants');
  if (!Array.isArray(entries) || entries.length === 0) throw invalid("entries", "must be an array of options, one for each output");
  const list = entries.map((entry, index) => {
    if (!isPlainObject(entry)) throw invalid(`entries[${index}]`, "must be a plain object");
    const wrong = OF_CALL.find((name) => entry[name] !== undefined);
    if (wrong) throw invalid(`entries[${index}].${wrong}`, "is an option of the whole call");
    const { name = call.name, settings } = readOptions(entry);
    return { name, settings: { ...shared, ...settings } };
  });
  return { onlyIfSmaller, call, list };
}

/** Yields every output. `fallback` gets the `type` of the last one. */
async function* make(dispatcher, input, call, list, fallback) {
  const { signal, onProgress, as } = call;
  const context = { settings: list[0].settings, signal, images: call.images };
  const opened = await abortable(signal, dispatcher.open(input, context));
  const [source, jobs] = await dispatcher.planReadable(opened, context, (each) => planAll(dispatcher, each, list, context));
  fallback.type = jobs.at(-1).plan.outputType;
  const formats = await dispatcher.formats();
  const progress = createProgress(onProgress, source.size);
  progress("load", 0);
  const toResult = ({ index, bytes, report }) => {
    const name = list[index].name ?? `${stemOf(source.name, "image")}-${report.width}`;
    return { index, ...createResult(source, bytes, report, formats, { as, name, settings: list[index].settings }) };
  };
  yield* run(dispatcher, source, divide(jobs, dispatcher.workers()), { signal, progress: onProgress && progress }, toResult);
  progress("done", 1);
}

/** The jobs of all outputs of a source: their index, plan and settings. */
async function planAll(dispatcher, source, list, context) {
  const jobs = [];
  for (const [index, { settings }] of list.entries()) {
    try {
      const planned = withDefaultType(source, await readOverlay(dispatcher, { ...context, settings }));
      const plan = await dispatcher.plan(source, { settings: planned, engine: "local" }, context.signal);
      jobs.push({ index, plan: { ...plan, build: dispatcher.builds.choose(plan.build) }, settings: planned });
    } catch (thrown) {
      throw ofVariant(thrown, index);
    }
  }
  return jobs;
}

/** Runs each part as soon as there is a worker for it, and yields outputs as they come. The first failure ends all parts. */
async function* run(dispatcher, source, parts, { signal, progress }, toResult) {
  const stop = new AbortController();
  const ready = [];
  const seen = new Set();
  let wake, failure;
  let running = parts.length;
  const stages = createPartsProgress(parts.length, progress);
  const changed = () => wake?.();
  // Each worker that takes bytes takes them away, and gives them back when it is done.
  const copies = parts.slice(0, dispatcher.workers()).map((_, at) => (at > 0 ? source.bytes?.slice() : source.bytes));
  const queue = [...parts.entries()];
  const start = () => {
    if (queue.length === 0 || stop.signal.aborted) return;
    const [at, part] = queue.shift();
    const onOutput = ({ index, ...output }) => {
      const job = part.jobs[index];
      // After a trap, the engine makes all outputs once more.
      if (seen.has(job.index)) return;
      seen.add(job.index);
      ready.push({ index: job.index, ...output });
      changed();
    };
    const own = { ...source, bytes: copies.pop() };
    const job = { call: "variants", settings: part.jobs.map(({ settings }) => settings), onOutput, onStage: stages.of(at), signal: stop.signal };
    dispatcher.run(part.plan, own, job).then(({ bytes }) => copies.push(bytes)).catch((thrown) => {
      failure ??= ofVariant(thrown, part.jobs[thrown?.details?.variant]?.index);
      stop.abort();
    }).finally(() => {
      running -= 1;
      start();
      changed();
    });
  };
  [...copies].forEach(start);
  try {
    while (running > 0 || ready.length > 0) {
      throwIfAborted(signal);
      if (failure) throw failure;
      if (ready.length > 0) yield toResult(ready.shift());
      else await abortable(signal, new Promise((resolve) => (wake = resolve)));
    }
    if (failure) throw failure;
  } finally {
    // Also when the caller leaves its loop early.
    stages.stop();
    stop.abort();
  }
}

/** Adds the index of an entry to an error's details. */
function ofVariant(thrown, index) {
  const error = toFilepressError(thrown);
  if (index !== undefined) error.details = { ...error.details, variant: index };
  return error;
}

/** How many times as long as JPEG the encoders of other types take for a pixel: photos of 0.1 to 2 megapixels, all defaults. */
const WORK = { "image/avif": 20, "image/gif": 8, "image/png": 30, "image/webp": 3 };

/**
 * Divides jobs into parts for `most` workers, in the order in which they begin. Each part has one build. A build gets as many workers as is
 * its share of the work, rounded, and at least one. The one with the least to do begins: its module is compiled while others are, and before
 * the largest pictures are encoded. How long a job takes is guessed from what it needs, which grows with its pixels.
 */
function divide(jobs, most) {
  const base = Math.min(...jobs.map(({ plan }) => plan.memory));
  const loadOf = ({ plan }) => (plan.memory - base + 1) * (WORK[plan.outputType] ?? 1);
  const sum = (some) => some.reduce((total, job) => total + loadOf(job), 0);
  const loads = Array.from({ length: most }, () => 0);
  const groups = groupByBuild(jobs).sort(([, one], [, other]) => sum(one) - sum(other));
  return groups.flatMap(([build, own]) => {
    const count = Math.min(Math.max(1, Math.round((most * sum(own)) / sum(jobs))), own.length);
    loads.sort((one, other) => one - other);
    return divideEvenly(own, count, loadOf, loads).map((part) => ({
      jobs: part.sort((one, other) => one.index - other.index),
      plan: { ...part[0].plan, build, memory: Math.max(...part.map(({ plan }) => plan.memory)) },
    }));
  });
}

/** `full` does all of them, if it is needed. Otherwise AVIF is apart, because those that write it write nothing else. */
function groupByBuild(jobs) {
  const most = (...builds) => builds.find((build) => jobs.some(({ plan }) => plan.build === build));
  const [all, avif, other] = [most("full"), most("avif", "photo_avif"), most("core", "photo")];
  const buildOf = ({ plan }) => all ?? (plan.outputType === "image/avif" ? avif : other);
  return [...new Set(jobs.map(buildOf))].map((build) => [build, jobs.filter((job) => buildOf(job) === build)]);
}

/** Gives each job, the longest first, to that of the first `count` workers which has least to do. Adds to their `loads`. */
function divideEvenly(jobs, count, loadOf, loads) {
  const parts = loads.slice(0, count).map(() => []);
  for (const job of [...jobs].sort((one, other) => loadOf(other) - loadOf(one))) {
    const at = loads.indexOf(Math.min(...loads.slice(0, count)));
    parts[at].push(job);
    loads[at] += loadOf(job);
  }
  return parts.filter(({ length }) => length > 0);
}

/** The progress of the whole as the mean of its parts. */
function createPartsProgress(count, progress) {
  if (!progress) return { of: () => undefined, stop() {} };
  const ratios = Array.from({ length: count }, () => 0);
  const all = ratios.map((_, at) =>
    createStageProgress((stage, ratio, details) => {
      ratios[at] = ratio;
      progress(stage, ratios.reduce((sum, each) => sum + each, 0) / count, details);
    }),
  );
  return { of: (at) => all[at].onStage, stop: () => all.forEach((stages) => stages.stop()) };
}

/**
 * Leaves out what is not smaller than the fallback of the same size: the output of the last entry's type. The others wait for theirs,
 * which the engine usually makes first.
 */
async function* smallerThanFallback(outputs, fallback) {
  const sizes = new Map();
  const waiting = [];
  const sizeOf = ({ width, height }) => `${width}x${height}`;
  const isSmaller = (output) => output.outputSize < sizes.get(sizeOf(output));
  for await (const output of outputs) {
    if (output.type === fallback.type) {
      sizes.set(sizeOf(output), output.outputSize);
      yield output;
    } else waiting.push(output);
    for (const held of waiting.filter((other) => sizes.has(sizeOf(other)))) {
      waiting.splice(waiting.indexOf(held), 1);
      if (isSmaller(held)) yield held;
    }
  }
  yield* waiting;
}
