// The default command: compresses or converts all files, several at once.
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

/** Error codes that mean that the command line is wrong, for all files. */
const USAGE_CODES = ["invalid_option", "unknown_option"];

/** A PGM of one pixel for checking options. It exceeds the limit of that call, so it is never decoded. */
const PIXEL = new TextEncoder().encode("P5\n1 1\n255\n\0");

/** Runs the command. Resolves to whether all files succeeded. */
export async function compressAll(command) {
  const types = await formats();
  const client = command.server === undefined ? undefined : connect(command.server);
  const supported = types.filter(({ read, engine }) => (engine === "local" ? read : client));
  const extensions = new Set(supported.flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`)));
  const { inputs, skipped } = await findInputs(command.inputs, extensions, command.out);

  const several = inputs.length > 1 || inputs[0].many;
  const to = command.options.to ?? typeOf(command.out, several, types);
  checkOut(command, several, types);
  const fonts = await readFonts(command.fonts);
  await checkOptions({ ...command.options, to, fonts });
  const outputPaths = createOutputPaths({ ...command, to, inputs, several, types });
  const toStandardOutput = command.out === undefined ? inputs.some(({ path }) => path === "-") : command.out === "-";
  const progress = createProgress({ ...command, total: inputs.length });
  const report = createReport({ ...command, toStandardOutput, progress, total: inputs.length, types });
  report.skipped(skipped, client !== undefined);
  const options = { ...command.options, to, client, fonts, as: "stream" };
  const stop = new AbortController();

  await each(inputs, command.concurrency, async (input) => {
    if (stop.signal.aborted) return;
    try {
      outputPaths.expected(input);
      const onProgress = (state) => progress.update(input, state);
      const result = await compress(await openInput(input), { ...options, signal: stop.signal, onProgress });
      const output = outputPaths.claim(input, result.name);
      await write(output, result.stream, command.force).catch((error) => Promise.reject(Object.assign(error, { output })));
      progress.finish(input);
      report.done(input, output, result);
    } catch (error) {
      progress.finish(input);
      if (stop.signal.aborted) return;
      if (error instanceof FilepressError && USAGE_CODES.includes(error.code)) stop.abort(new UsageError(withFlagNames(error.message)));
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

/** Throws if the package refuses the options, whatever the files are. */
async function checkOptions({ settings, engine, ...options }) {
  const local = engine === "remote" ? "auto" : engine;
  await compress(PIXEL, { ...options, engine: local, limits: { maxInputBytes: 1 } }).catch((error) => {
    if (USAGE_CODES.includes(error.code)) throw new UsageError(withFlagNames(error.message));
  });
}

/** Throws if --out names a file but a folder is needed, or a file of another format than --to. */
function checkOut({ out, options: { to } }, several, types) {
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
  return Promise.all(paths.map(readFont));
}

async function readFont(path) {
  return readFile(path).catch((error) => Promise.reject(new UsageError(`--font ${path}: ${toUserMessage(error)}`)));
}

/** Calls `work` for each item, at most `limit` at a time. */
async function each(items, limit, work) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
