// The configuration file of --config: a JSON object, whose members become flags.
import { readFileSync } from "node:fs";
import { COMPRESS, GENERAL, parseFlags, unknownOption } from "./flags.js";
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
  const files = given.positionals.length > 0 || inputs === undefined ? [] : ["--", ...[inputs].flat()];
  return parseFlags([...flags, ...args, ...files], { ...GENERAL, ...COMPRESS });
}

function flagsOf(name, value) {
  if (!Object.hasOwn(COMPRESS, name) || name === "config") throw unknownOption(`--${name}`, "the configuration file has the unknown member");
  if (COMPRESS[name].type === "boolean") return value === true ? [`--${name}`] : [];
  if (name === "set") return Object.entries(value).map(([key, setting]) => `--set=${key}=${JSON.stringify(setting)}`);
  if (name === "widths" || name === "crop") return [`--${name}=${[value].flat().join(",")}`];
  return [value].flat().map((item) => `--${name}=${item}`);
}
