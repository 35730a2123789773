// Parses the command line to { name, inputs, … } for one of the commands. Ranges of values are checked by the package.
import { availableParallelism } from "node:os";
import { withConfig } from "./config.js";
import { COMPRESS, GENERAL, parseFlags } from "./flags.js";
import { UsageError } from "./usage-error.js";
import { readCrop, readLength, readNumber, readSettings, readSize, readTemplate, readWidths } from "./values.js";

const COMMANDS = ["inspect", "formats"];

/** The input that stands for standard input. */
export const STANDARD_INPUT = "-";
/** Other names of standard input, beside which no result can be written. */
const STANDARD_INPUT_PATHS = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/**
 * Parses the arguments, or throws a UsageError. A file named like a command is written as `./inspect`, or after `--`. `readConfig`
 * reads the file of --config.
 */
export function readCommand(args, readConfig) {
  if (args[0] === "help" && args.length === 1) return { name: "help" };
  const given = parseFlags(args, { ...GENERAL, ...COMPRESS });
  const first = given.tokens.find(({ kind }) => kind !== "option");
  const name = COMMANDS.includes(first?.value) ? first.value : "compress";
  const { values, positionals } = name === "compress" ? withConfig(args, given, readConfig) : parseFlags(args.toSpliced(first.index, 1), GENERAL);
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

function readCompress(values, inputs) {
  const { out, quiet = false, server } = values;
  const outputs = { to: (values.to ?? []).flatMap((to) => to.split(",")), widths: value("widths", values, readWidths) ?? [] };
  checkStandardOutput(values, inputs, outputs);
  if (values.engine === "remote" && server === undefined) throw new UsageError("--engine remote needs --server");
  const concurrency = number("concurrency", values) ?? Math.min(availableParallelism(), 8);
  if (concurrency < 1 || !Number.isInteger(concurrency)) throw new UsageError("--concurrency must be a whole number of at least 1");
  rejectCombinations(values, inputs);
  return {
    out,
    template: value("name", values, readTemplate) ?? (outputs.widths.length > 0 ? "{name}-{width}.{ext}" : undefined),
    outputs,
    existing: existingPolicy(values),
    inPlace: values["in-place"] === true,
    dryRun: values["dry-run"] === true,
    watch: values.watch === true,
    useIgnoreFiles: values["no-ignore"] !== true,
    quiet,
    html: values.html === true,
    onlyIfSmaller: values["only-if-smaller"] === true,
    server,
    fonts: values.font ?? [],
    overlay: readOverlay(values),
    concurrency,
    options: readOptions(values),
  };
}

/** Throws if more than the bytes of one result would go to standard output. */
function checkStandardOutput({ out, json, html, watch }, inputs, { to, widths }) {
  if (json && html) throw new UsageError("--json and --html can't be combined");
  const byDefault = out === undefined && inputs.includes(STANDARD_INPUT);
  if (out !== "-" && !byDefault) return;
  const several = to.length > 1 || widths.length > 1;
  if (out === "-" && (several || inputs.length > 1)) throw severalOnStandardOutput();
  if (byDefault && several) throw new UsageError("standard input has one result, on standard output; use --out for several formats or widths");
  if (watch && out === "-") throw new UsageError("--watch and --out - can't be combined");
  if (json || html) throw new UsageError(`--${json ? "json" : "html"} and the output can't both go to standard output`);
  if (byDefault && process.stdout.isTTY) throw new UsageError("the result would be written to the terminal; use --out (--out - to do so)");
}

/** The error for --out - where there may be several results. */
export const severalOnStandardOutput = () => new UsageError("--out - allows only one file");

/** What happens to a result whose path exists: `fail`, `force` (overwrite), `skip`, or `newer` (overwrite if the input is newer). */
function existingPolicy(values) {
  const policies = { force: values.force, skip: values["skip-existing"], newer: values.newer };
  const [policy = values.watch ? "newer" : "fail", other] = Object.keys(policies).filter((name) => policies[name]);
  if (other) throw new UsageError("--force, --skip-existing and --newer can't be combined");
  return policy;
}

/** Pairs of flags that contradict each other. */
const EXCLUSIVE = [
  ["in-place", ["out", "name", "to", "widths", "skip-existing", "newer", "watch"]],
  ["widths", ["width", "max-width", "height"]],
  ["watch", ["dry-run", "html"]],
  ["html", ["server", "dry-run", "skip-existing", "newer", "in-place"]],
  ["only-if-smaller", ["server"]],
];

function rejectCombinations(values, inputs) {
  for (const [name, others] of EXCLUSIVE) {
    const other = values[name] === undefined ? undefined : others.find((one) => values[one] !== undefined);
    if (other) throw new UsageError(`--${name} and --${other} can't be combined`);
  }
  const needsFiles = ["in-place", "watch", "newer"].find((name) => values[name]);
  if (needsFiles && inputs.includes(STANDARD_INPUT)) throw new UsageError(`--${needsFiles} needs files, not standard input`);
}

/** The CompressOptions of the flags. Members of flags that were not given are undefined, which counts as absent. */
function readOptions(values) {
  const resize = {
    width: number("width", values),
    height: number("height", values),
    maxWidth: number("max-width", values),
    maxHeight: number("max-height", values),
    fit: values.fit,
    position: values.position,
  };
  return {
    quality: values.quality === "auto" ? "auto" : number("quality", values),
    minScore: number("min-score", values),
    targetSize: value("target-size", values, readSize),
    lossless: values.lossless,
    effort: number("effort", values),
    colors: number("colors", values),
    dither: number("dither", values),
    chroma: values.chroma,
    crop: value("crop", values, readCrop),
    rotate: number("rotate", values),
    flip: values.flip,
    resize: Object.values(resize).some((member) => member !== undefined) ? resize : undefined,
    background: values.background,
    metadata: values.metadata,
    animation: values.animation,
    hdr: values.hdr,
    engine: values.engine,
    settings: value("set", values, readSettings),
  };
}

/** The file of an overlay, and its options. */
function readOverlay(values) {
  const other = Object.keys(values).find((name) => name.startsWith("overlay-"));
  if (values.overlay === undefined && other) throw new UsageError(`--${other} needs --overlay`);
  return values.overlay && {
    path: values.overlay,
    options: {
      position: values["overlay-position"],
      opacity: number("overlay-opacity", values),
      margin: value("overlay-margin", values, readLength),
      width: value("overlay-width", values, readLength),
    },
  };
}

const number = (name, values) => value(name, values, readNumber);

function value(name, values, read) {
  if (values[name] === undefined) return undefined;
  const { value, expected } = read(values[name]);
  if (expected) throw new UsageError(`--${name} must be ${expected}, not ${[values[name]].flat().join(" ")}`);
  return value;
}
