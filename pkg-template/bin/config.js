// The configuration file of --config: a JSON object, whose members become flags.
import { readFileSync } from "node:fs";
import { didYouMean } from "../lib/did-you-mean.js";
import { COMPRESS, GENERAL, parseFlags } from "./flags.js";
import { toUserMessage } from "./messages.js";
import { UsageError } from "./usage-error.js";

/** The object in a JSON file, or throws a UsageError. */
export function readConfig(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--config ${path}: ${toUserMessage(error)}`);
  }
  let config;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--config ${path} is not valid JSON: ${error.message}`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) throw new UsageError(`--config ${path} must be a JSON object`);
  return config;
}

/**
 * The flags of `args` and of its configuration file, parsed together. `given`: `args` parsed alone. The members of the file are the
 * long names of flags, and `inputs`. What the command line gives takes precedence. `read` reads the file.
 */
export function withConfig(args, given, read) {
  if (given.values.config === undefined) return given;
  const { inputs, ...members } = read(given.values.config);
  const rest = Object.entries(members).filter(([name]) => given.values[name] === undefined);
  const flags = rest.flatMap(([name, value]) => flagsOf(name, value));
  const files = given.positionals.length > 0 || inputs === undefined ? [] : ["--", ...filesOf(inputs)];
  return parseFlags([...flags, ...args, ...files], { ...GENERAL, ...COMPRESS });
}

function flagsOf(name, value) {
  if (!Object.hasOwn(COMPRESS, name) || name === "config") throw unknownMember(name);
  const { type, multiple } = COMPRESS[name];
  if (type === "boolean") return booleanOf(name, value) ? [`--${name}`] : [];
  if (name === "set") return settingsOf(value).map(([key, setting]) => `--set=${key}=${JSON.stringify(setting)}`);
  const items = [value].flat();
  if (!items.every(isText)) throw wrongMember(name, "text or a number");
  if (name === "widths" || name === "crop") return [`--${name}=${items.join(",")}`];
  if (items.length > 1 && !multiple) throw wrongMember(name, "one value");
  return items.map((item) => `--${name}=${item}`);
}

const isText = (item) => typeof item === "string" || typeof item === "number";

function booleanOf(name, value) {
  if (typeof value !== "boolean") throw wrongMember(name, "true or false");
  return value;
}

function settingsOf(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrongMember("set", "an object");
  return Object.entries(value);
}

function filesOf(inputs) {
  const files = [inputs].flat();
  if (!files.every((file) => typeof file === "string")) throw wrongMember("inputs", "a list of files and folders");
  return files;
}

const wrongMember = (name, expected) => new UsageError(`the member "${name}" of the configuration file must be ${expected}`);

function unknownMember(name) {
  const meant = didYouMean(name, ["inputs", ...Object.keys(COMPRESS)]);
  return new UsageError(`the configuration file has the unknown member ${JSON.stringify(name)}${meant ? `; did you mean "${meant}"?` : ""}`);
}
