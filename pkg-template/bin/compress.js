// Makes all files of a command smaller, some at once, each from its input to its output.
import { Client, compress, formats, FilepressError } from "filepress";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { UsageError } from "./arguments.js";
import { findInputs, openInput } from "./inputs.js";
import { createOutputPaths, isFolder } from "./output-paths.js";
import { createProgress } from "./progress.js";
import { createReport } from "./report.js";
import { withFlagNames, toUserMessage } from "./messages.js";
import { write } from "./atomic-write.js";

/** Errors that every other file would meet as well: the command line is wrong. */
const OF_THE_COMMAND = ["invalid_option", "unknown_option"];

/** A picture of one pixel, which options can be tried on: too large for the limit, it is never decoded. */
const PIXEL = new TextEncoder().encode("P5\n1 1\n255\n\0");

/** Whether all files were done. */
export async function compressAll(command) {
  const types = await formats();
  const client = command.server === undefined ? undefined : connect(command.server);
  const taken = types.filter(({ read, engine }) => (engine === "local" ? read : client));
  const extensions = new Set(taken.flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`)));
  const { inputs, passed } = await findInputs(command.inputs, extensions, command.out);

  const several = inputs.length > 1 || inputs[0].many;
  const to = command.options.to ?? typeOf(command.out, several, types);
  checkNames(command, several, types);
  const fonts = await readFonts(command.fonts);
  await tryOptions({ ...command.options, to, fonts });
  const names = createOutputPaths({ ...command, to, inputs, several, types });
  const toStandardOutput = command.out === undefined ? inputs.some(({ path }) => path === "-") : command.out === "-";
  const progress = createProgress({ ...command, total: inputs.length });
  const report = createReport({ ...command, toStandardOutput, progress, total: inputs.length, types });
  report.passed(passed, client !== undefined);
  const options = { ...command.options, to, client, fonts, as: "stream" };
  const stop = new AbortController();

  await each(inputs, command.concurrency, async (input) => {
    if (stop.signal.aborted) return;
    try {
      names.expected(input);
      const onProgress = (state) => progress.update(input, state);
      const result = await compress(await openInput(input), { ...options, signal: stop.signal, onProgress });
      const output = names.claim(input, result.name);
      await write(output, result.stream, command.force).catch((error) => Promise.reject(Object.assign(error, { output })));
      progress.finish(input);
      report.done(input, output, result);
    } catch (error) {
      progress.finish(input);
      if (stop.signal.aborted) return;
      if (error instanceof FilepressError && OF_THE_COMMAND.includes(error.code)) stop.abort(new UsageError(withFlagNames(error.message)));
      else report.failed(input, error);
    }
  });
  progress.clear();
  stop.signal.throwIfAborted();
  return report.end();
}

function connect(baseUrl) {
  try {
    return new Client({ baseUrl, apiKey: process.env.FILEPRESS_API_KEY || undefined });
  } catch (error) {
    throw new UsageError(withFlagNames(error.message));
  }
}

/** Throws where the package would refuse the options themselves, whatever the files are. */
async function tryOptions({ settings, engine, ...options }) {
  const local = engine === "remote" ? "auto" : engine;
  await compress(PIXEL, { ...options, engine: local, limits: { maxInputBytes: 1 } }).catch((error) => {
    if (OF_THE_COMMAND.includes(error.code)) throw new UsageError(withFlagNames(error.message));
  });
}

/** Throws where --out is the name of a file, and cannot be. */
function checkNames({ out, options: { to } }, several, types) {
  const named = out === undefined ? undefined : typeOf(out, false, types);
  if (named === undefined || isFolder(out)) return;
  if (several) throw new UsageError(`--out ${out} looks like a file, and there are several inputs; a folder ends with /`);
  const wanted = types.find(({ type, extensions }) => type === to || extensions.includes(to?.toLowerCase()));
  if (wanted && wanted.type !== named) throw new UsageError(`--out ${out} is ${named}, and --to ${to} is not`);
}

/** The type that the output's own name asks for. */
function typeOf(out, several, types) {
  const extension = several || out === undefined ? "" : extname(out).slice(1).toLowerCase();
  return types.find(({ extensions }) => extensions.includes(extension))?.type;
}

async function readFonts(paths) {
  if (paths.length === 0) return undefined;
  return Promise.all(paths.map(readFont));
}

async function readFont(path) {
  return readFile(path).catch((error) => Promise.reject(new UsageError(`--font ${path}: ${toUserMessage(error)}`)));
}

/** Calls `work` for each item, for `limit` of them at a time. */
async function each(items, limit, work) {
  const waiting = items.values();
  const line = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, line));
}
