// The flags of the command line, and their parsing by node:util. The values of flags are read in values.js.
import { parseArgs } from "node:util";
import { didYouMean } from "../lib/did-you-mean.js";
import { UsageError } from "./usage-error.js";

const FLAG = { type: "boolean" };
const VALUE = { type: "string" };
const LIST = { type: "string", multiple: true };

/** The flags of all commands. */
export const GENERAL = { help: { ...FLAG, short: "h" }, version: { ...FLAG, short: "V" }, json: FLAG };
/** The flags of `compress` alone. */
export const COMPRESS = {
  out: { ...VALUE, short: "o" },
  force: { ...FLAG, short: "f" },
  quiet: FLAG,
  name: VALUE,
  "skip-existing": FLAG,
  newer: FLAG,
  "in-place": FLAG,
  "dry-run": FLAG,
  watch: FLAG,
  "no-ignore": FLAG,
  config: VALUE,
  to: { ...LIST, short: "t" },
  quality: { ...VALUE, short: "q" },
  "min-score": VALUE,
  "target-size": VALUE,
  lossless: FLAG,
  effort: VALUE,
  colors: VALUE,
  dither: VALUE,
  chroma: VALUE,
  width: VALUE,
  height: VALUE,
  "max-width": VALUE,
  "max-height": VALUE,
  widths: VALUE,
  html: FLAG,
  "only-if-smaller": FLAG,
  fit: VALUE,
  position: VALUE,
  crop: VALUE,
  rotate: VALUE,
  flip: VALUE,
  overlay: VALUE,
  "overlay-position": VALUE,
  "overlay-opacity": VALUE,
  "overlay-margin": VALUE,
  "overlay-width": VALUE,
  background: VALUE,
  metadata: VALUE,
  animation: VALUE,
  hdr: VALUE,
  font: LIST,
  server: VALUE,
  engine: VALUE,
  set: LIST,
  concurrency: VALUE,
};

/** What parseArgs returns, with tokens, or throws a UsageError. */
export function parseFlags(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, tokens: true });
  } catch (error) {
    if (!error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
    const unknown = error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" && /'(--?[^']+)'/.exec(error.message)?.[1];
    throw unknown ? unknownOption(unknown) : new UsageError(error.message.split(/\. To specify/)[0]);
  }
}

function unknownOption(option) {
  const meant = didYouMean(option.replace(/^--?/, ""), Object.keys({ ...GENERAL, ...COMPRESS }));
  const advice = meant ? `did you mean --${meant}?` : "a file whose name begins with a dash goes after --";
  return new UsageError(`unknown option ${option}; ${advice}`);
}
