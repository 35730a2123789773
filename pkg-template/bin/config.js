// Reads the configuration file of --config: a JSON object.
import { readFileSync } from "node:fs";
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
