// Reads the options of a call as a snapshot: the caller's object is never changed, and later changes to it have no effect. Only
// options that wasm cannot see are validated here; the planner validates all others.
import { CONVERT } from "./client/convert-symbol.js";
import { OptionsError } from "./errors.js";
import { fileName } from "./file-name.js";
import { copyBytes } from "./input.js";
import { stringTag } from "./string-tag.js";

/** Deeper than any option. Stops copying cyclic objects. */
const DEPTH = 4;

/**
 * Splits options into those of the call (`signal`, `onProgress`, `client`, `engine`, `as`, `name`, `keepRemote`), `task` for the server's task,
 * and `settings` for the engine. `images` is for what the call reads of overlays. `allowed` lists the only valid members; without it the planner decides.
 */
export function readOptions(options = {}, allowed) {
  const given = read(options);
  if (allowed) checkNames(Object.keys(given), allowed);
  const { signal, onProgress, client, engine, as = "blob", name, keepRemote, settings: task, ...settings } = given;
  checkCall({ signal, onProgress, as });
  if (client !== undefined && typeof client?.[CONVERT] !== "function") throw invalid("client", "must be a Client");
  if (engine !== undefined && typeof engine !== "string") throw invalid("engine", "must be \"auto\", \"local\" or \"remote\"");
  if (name !== undefined && !isName(name)) throw invalid("name", "must be a file name without a folder");
  if (keepRemote !== undefined && typeof keepRemote !== "boolean") throw invalid("keepRemote", "must be true or false");
  if (task !== undefined && !isPlainObject(task)) throw invalid("settings", "must be a plain object");
  return { signal, onProgress, client, engine, as, name, keepRemote, task, settings, images: new Map() };
}

/** Validates the options that all calls have in common. */
export function checkCall({ signal, onProgress, as = "blob" }) {
  if (signal !== undefined && !isAbortSignal(signal)) throw invalid("signal", "must be an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function") throw invalid("onProgress", "must be a function");
  if (as !== "blob" && as !== "stream") throw invalid("as", 'must be "blob" or "stream"');
}

/** An `invalid_option` error for `option`. */
export function invalid(option, message) {
  return new OptionsError("invalid_option", `${path(option)} ${message}.`, { details: { option } });
}

/** Throws `unknown_option` for a name that is not allowed. `prefix` is what messages have before it. */
export function checkNames(names, allowed, prefix = "") {
  for (const name of names) {
    if (allowed.includes(name)) continue;
    const option = prefix + name;
    const message = `${path(option)}: unknown option; the options are ${allowed.join(", ")}.`;
    throw new OptionsError("unknown_option", message, { details: { option } });
  }
}

/** An option as messages name it. Other parameters are named as they are. */
const path = (option) => (/^(options$|entries|outputs)/.test(option) ? option : `options.${option}`);

/** Whether a value can name a file: no separators, no characters that file systems refuse. */
const isName = (name) => typeof name === "string" && name.length <= 255 && fileName(name) === name && !/^\.+$/.test(name);

/** Whether a value is a plain object, of any realm. */
export function isPlainObject(value) {
  if (stringTag(value) !== "Object") return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The entries of an object, without undefined values. */
export const members = (value) => Object.entries(value).filter(([, member]) => member !== undefined);

/** Copies the options. Getters and proxies may throw anything. */
function read(options) {
  try {
    if (isPlainObject(options)) return Object.fromEntries(members(options).map(([name, value]) => [name, readMember(name, value)]));
  } catch {}
  throw invalid("options", "must be a plain object");
}

function readMember(name, value) {
  if (["signal", "onProgress", "client"].includes(name)) return value;
  return snapshot(value, DEPTH, name === "settings" ? (other) => other : plain);
}

/** A deep copy. Values that are not arrays or plain objects, or are nested too deep, are mapped by `leaf`. */
function snapshot(value, depth, leaf) {
  // The only array is that of the fonts.
  if (Array.isArray(value)) return value.map((item) => copyBytes(item) ?? leaf(item));
  if (depth === 0 || !isPlainObject(value)) return leaf(value);
  // The image of an overlay is an input.
  return Object.fromEntries(members(value).map(([key, member]) => [key, key === "image" ? copyBytes(member) ?? member : snapshot(member, depth - 1, leaf)]));
}

/** Replaces unsupported values by NaN, which the planner refuses with the option's name. `null` too: the planner would read it as absent. */
function plain(value) {
  return ["Boolean", "Number", "String", "Object"].includes(stringTag(value)) ? value : NaN;
}

function isAbortSignal(value) {
  try {
    return typeof value?.aborted === "boolean" && typeof value.addEventListener === "function";
  } catch {
    return false;
  }
}
