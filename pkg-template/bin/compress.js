// The default command: compresses or converts all files, several at once.
import { Client, compress, formats, FilepressError, inspect } from "filepress";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { severalOnStandardOutput } from "./arguments.js";
import { UsageError } from "./usage-error.js";
import { findInputs, openInput } from "./inputs.js";
import { createOutputPaths, isFolder, needsSize, realPath, STANDARD_OUTPUT } from "./output-paths.js";
import { createProgress } from "./progress.js";
import { createReport } from "./report.js";
import { makeTogether } from "./make-together.js";
import { withFlagNames, toUserMessage } from "./messages.js";
import { write } from "./atomic-write.js";
import { predictSize } from "../lib/predict-size.js";
import { variantOptions, variantsOf } from "./variants.js";
import { watch } from "./watch.js";

/** Error codes that mean that the command line is wrong, for all files. */
const USAGE_CODES = ["invalid_option", "unknown_option"];

/** A PGM of one pixel for checking options. It exceeds the limit of that call, so it is never decoded. */
const PIXEL = new TextEncoder().encode("P5\n1 1\n255\n\0");

/** With --in-place, a file is only replaced by one that is smaller by this share. */
const MIN_SAVING = 0.01;

/** Runs the command. Resolves to whether all files succeeded. */
export async function compressAll(command) {
  const types = await formats();
  const client = command.server === undefined ? undefined : connect(command.server);
  const supported = types.filter(({ read, engine }) => (engine === "local" ? read : client));
  const extensions = new Set(supported.flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`)));
  const find = () => findInputs(command.inputs, { ...command, extensions });
  const { inputs, several: severalInputs, skipped } = await find();

  const several = severalInputs || command.outputs.to.length > 1 || command.outputs.widths.length > 1;
  checkOut(command, several, types);
  const variants = variantsOf(command.outputs, typeOf(command.out, several, types));
  const fonts = await readFonts(command.fonts);
  const options = { ...command.options, fonts, overlay: await readOverlay(command.overlay) };
  for (const variant of variants) await checkOptions(variantOptions(options, variant));
  const written = new Set();
  const setup = { command, types, written, several, variants, options: { ...options, client, as: "stream" } };
  const succeeded = await runOnce(setup, inputs, (report) => report.skipped(skipped, client !== undefined));
  if (!command.watch) return succeeded;
  // The result of an earlier input may be newer than the file that replaces this input.
  const again = command.existing === "newer" ? { ...command, existing: "force" } : command;
  const findOthers = async () => (await find()).inputs.filter(({ path }) => !written.has(realPath(path)));
  return watch(findOthers, inputs, (changed, isKnown, all) => runOnce({ ...setup, command: isKnown ? again : command, all }, changed));
}

/**
 * Makes all results of some inputs. Resolves to whether all succeeded. `all`: every input that there is, if these are not all. `written` gets
 * the real paths of the results.
 */
async function runOnce({ command, types, several, variants, options, written, all }, inputs, begin) {
  const total = inputs.length * variants.length;
  const paths = createOutputPaths({ ...command, inputs: all ?? inputs, several, types });
  const toStandardOutput = command.html || (command.out === undefined ? inputs.some(({ path }) => path === "-") : command.out === "-");
  const progress = createProgress({ ...command, total });
  const report = createReport({ ...command, toStandardOutput, progress, total, types });
  begin?.(report);
  const stop = new AbortController();
  const jobs = inputs.map((input) => variants.map((variant, index) => ({ input, variant, index, shown: input.shown })));
  const context = { command, paths, written, progress, report, options: { ...options, signal: stop.signal } };
  const fail = (job, error) => {
    progress.finish(job);
    if (stop.signal.aborted) return;
    if (error instanceof FilepressError && USAGE_CODES.includes(error.code)) stop.abort(new UsageError(withFlagNames(error.message)));
    else report.failed(job.input, error);
  };

  // All results of an input are made of one decoded picture, unless a server may have to make them.
  const together = options.client === undefined && (variants.length > 1 || command.html);
  await each(together ? jobs : jobs.flat(), command.concurrency, async (work) => {
    if (stop.signal.aborted) return;
    if (together) return makeTogether(context, work, { expect, store, fail });
    await makeResult(context, work).catch((error) => fail(work, error));
  });
  progress.clear();
  stop.signal.throwIfAborted();
  return report.end();
}

async function makeResult(context, job) {
  const { progress, report, options } = context;
  const { input, variant } = job;
  const own = variantOptions(options, variant);
  if (!(await expect(context, job, own))) return;
  const onProgress = (state) => progress.update(job, state);
  const result = await compress(await openInput(input), { ...own, onProgress });
  const output = await store(context, job, result);
  progress.finish(job);
  return output.skip ? report.unchanged(input, output) : report.done(input, output.path, result);
}

/** Whether a result is to be made; otherwise reports why it is not. */
async function expect({ command, paths, progress, report }, job, own) {
  const expected = paths.expected(job, await knownSize(command.template, job.input, own));
  if (!expected.skip && !command.dryRun) return true;
  progress.finish(job);
  if (expected.skip) report.unchanged(job.input, expected);
  else report.planned(job.input, expected.path);
  return false;
}

/** Writes a result, unless there is a reason to skip it. Resolves to `{ path, skip }`. */
async function store({ command, paths, written }, job, result) {
  const kept = command.inPlace ? reasonToKeep(result) : undefined;
  const output = kept ? { path: job.input.path, skip: kept } : paths.claim(job, result);
  const { path, skip } = output;
  const overwrites = command.inPlace || ["force", "newer"].includes(command.existing);
  if (skip) {
    await result.stream.cancel();
    return output;
  }
  await write(path, result.stream, overwrites).catch((error) => Promise.reject(Object.assign(error, { output: path })));
  if (path !== STANDARD_OUTPUT) written.add(realPath(path));
  return output;
}

/** Why --in-place leaves a file as it is, if it does. */
function reasonToKeep({ type, inputType, inputSize, outputSize }) {
  // The file would have the extension of a format that it is not, and may have lost what only its own format holds.
  if (type !== inputType) return "other_format";
  return outputSize > inputSize * (1 - MIN_SAVING) ? "not_smaller" : undefined;
}

/** The size that the result of a picture will have, if its file name contains it. */
async function knownSize(template, input, options) {
  if (!needsSize(template) || input.path === "-" || input.piped) return undefined;
  const facts = await inspect(await openInput(input)).catch(() => undefined);
  return facts && predictSize(facts, options);
}

function connect(baseUrl) {
  try {
    return new Client({ baseUrl, apiKey: process.env.FILEPRESS_API_KEY || undefined });
  } catch (error) {
    throw new UsageError(withFlagNames(error.message));
  }
}

/** Throws if the package refuses the options, whatever the files are. */
async function checkOptions({ settings, engine, ...options }) {
  const local = engine === "remote" ? "auto" : engine;
  await compress(PIXEL, { ...options, engine: local, limits: { maxInputBytes: 1 } }).catch((error) => {
    if (USAGE_CODES.includes(error.code)) throw new UsageError(withFlagNames(error.message));
  });
}

/** Throws if --out names a file, or standard output, but there may be several results, or if it names a file of another format than --to. */
function checkOut({ out, outputs: { to: [to] } }, several, types) {
  if (out === "-" && several) throw severalOnStandardOutput();
  const named = out === undefined ? undefined : typeOf(out, false, types);
  if (named === undefined || isFolder(out)) return;
  if (several) throw new UsageError(`--out ${out} looks like a file, and there are several inputs; a folder ends with /`);
  const wanted = types.find(({ type, extensions }) => type === to || extensions.includes(to?.toLowerCase()));
  if (wanted && wanted.type !== named) throw new UsageError(`--out ${out} is ${named}, and --to ${to} is not`);
}

/** The media type that the extension of --out stands for. */
function typeOf(out, several, types) {
  const extension = several || out === undefined ? "" : extname(out).slice(1).toLowerCase();
  return types.find(({ extensions }) => extensions.includes(extension))?.type;
}

async function readFonts(paths) {
  if (paths.length === 0) return undefined;
  return Promise.all(paths.map((path) => readNamed("font", path)));
}

/** The option `overlay`, whose image has to be readable whatever it is laid over. */
async function readOverlay(overlay) {
  if (overlay === undefined) return undefined;
  const image = await readNamed("overlay", overlay.path);
  await inspect(image).catch((error) => Promise.reject(new UsageError(`--overlay ${overlay.path}: ${toUserMessage(error)}`)));
  return { image, ...overlay.options };
}

/** The bytes of the file that a flag names. */
async function readNamed(flag, path) {
  return readFile(path).catch((error) => Promise.reject(new UsageError(`--${flag} ${path}: ${toUserMessage(error)}`)));
}

/** Calls `work` for each item, at most `limit` at a time. */
async function each(items, limit, work) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
