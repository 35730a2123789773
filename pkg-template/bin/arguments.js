// Parses the command line to { name, inputs, … } for one of the commands. Ranges of values are checked by the package.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { readNumber, readSettings, readSize } from "./values.js";

/** The command line is wrong. The message says why. */
export class UsageError extends Error {}

const FLAG = { type: "boolean" };
const VALUE = { type: "string" };
const LIST = { type: "string", multiple: true };

const GENERAL = { help: { ...FLAG, short: "h" }, version: { ...FLAG, short: "V" }, json: FLAG };
const COMPRESS = {
  out: { ...VALUE, short: "o" },
  force: { ...FLAG, short: "f" },
  quiet: FLAG,
  to: { ...VALUE, short: "t" },
  quality: { ...VALUE, short: "q" },
  "min-score": VALUE,
  "target-size": VALUE,
  lossless: FLAG,
  effort: VALUE,
  width: VALUE,
  height: VALUE,
  "max-width": VALUE,
  "max-height": VALUE,
  fit: VALUE,
  background: VALUE,
  metadata: VALUE,
  animation: VALUE,
  font: LIST,
  server: VALUE,
  engine: VALUE,
  set: LIST,
  concurrency: VALUE,
};
const COMMANDS = ["inspect", "formats"];

/** The input that stands for standard input. */
export const STANDARD_INPUT = "-";
/** Other names of standard input, beside which no result can be written. */
const STANDARD_INPUT_PATHS = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/** Parses the arguments, or throws a UsageError. A file named like a command is written as `./inspect`, or after `--`. */
export function readCommand(args) {
  if (args[0] === "help" && args.length === 1) return { name: "help" };
  const given = parse(args, { ...GENERAL, ...COMPRESS });
  const first = given.tokens.find(({ kind }) => kind !== "option");
  const name = COMMANDS.includes(first?.value) ? first.value : "compress";
  const { values, positionals } = name === "compress" ? given : parse(args.toSpliced(first.index, 1), GENERAL);
  const inputs = positionals.map((text) => (STANDARD_INPUT_PATHS.includes(text) ? STANDARD_INPUT : text));
  if (values.help) return { name: "help" };
  if (values.version) return { name: "version" };
  if (name === "formats" && inputs.length > 0) throw new UsageError("formats takes no files");
  if (name !== "formats" && inputs.length === 0) throw new UsageError("no input files");
  if (inputs.includes("") || values.out === "") throw new UsageError("a file name is empty");
  if (inputs.filter((input) => input === STANDARD_INPUT).length > 1) throw new UsageError("standard input can be read only once");
  const command = { name, inputs, json: values.json === true };
  return name === "compress" ? { ...command, ...readCompress(values, inputs) } : command;
}

function parse(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, tokens: true });
  } catch (error) {
    if (!error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
    throw new UsageError(error.message.split(/\. To specify/)[0]);
  }
}

function readCompress(values, inputs) {
  const { out, force = false, quiet = false, json, server } = values;
  if (out === "-" && inputs.length > 1) throw new UsageError("--out - allows only one file");
  if (json && (out ?? inputs[0]) === "-") throw new UsageError("--json and the output can't both go to standard output");
  if (out === undefined && inputs[0] === STANDARD_INPUT && process.stdout.isTTY) {
    throw new UsageError("the result would be written to the terminal; use --out (--out - to do so)");
  }
  if (values.engine === "remote" && server === undefined) throw new UsageError("--engine remote needs --server");
  const concurrency = number("concurrency", values) ?? Math.min(availableParallelism(), 8);
  if (concurrency < 1 || !Number.isInteger(concurrency)) throw new UsageError("--concurrency must be a whole number of at least 1");
  return { out, force, quiet, server, fonts: values.font ?? [], concurrency, options: readOptions(values) };
}

/** The CompressOptions of the flags. Members of flags that were not given are undefined, which counts as absent. */
function readOptions(values) {
  const resize = {
    width: number("width", values),
    height: number("height", values),
    maxWidth: number("max-width", values),
    maxHeight: number("max-height", values),
    fit: values.fit,
  };
  return {
    to: values.to,
    quality: values.quality === "auto" ? "auto" : number("quality", values),
    minScore: number("min-score", values),
    targetSize: value("target-size", values, readSize),
    lossless: values.lossless,
    effort: number("effort", values),
    resize: Object.values(resize).some((member) => member !== undefined) ? resize : undefined,
    background: values.background,
    metadata: values.metadata,
    animation: values.animation,
    engine: values.engine,
    settings: value("set", values, readSettings),
  };
}

const number = (name, values) => value(name, values, readNumber);

function value(name, values, read) {
  if (values[name] === undefined) return undefined;
  const { value, expected } = read(values[name]);
  if (expected) throw new UsageError(`--${name} must be ${expected}, not ${[values[name]].flat().join(" ")}`);
  return value;
}
