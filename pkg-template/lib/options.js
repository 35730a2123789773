// What the caller said, as a snapshot: later changes to the caller's object have no effect, and it is never changed.
// Only what wasm cannot see is judged here; the planner validates all other members.
import { CONVERT } from "./client/convert-symbol.js";
import { OptionsError } from "./errors.js";
import { copyBytes } from "./input.js";
import { stringTag } from "./string-tag.js";

/** Deeper than any option; ends the copying of objects that contain themselves. */
const DEPTH = 4;

/** What the planner never sees. */
const OWN = ["signal", "onProgress", "client", "as", "settings", "keepRemote"];

/**
 * Splits options into what concerns the call (`signal`, `onProgress`, `client`, `engine`, `as`, `keepRemote`), `task` for a service's
 * task, and the `settings` that go to the engine. `allowed` names the only members that may be there; without it the planner decides.
 */
export function readOptions(options = {}, allowed) {
  const given = read(options);
  const unknownKey = allowed && Object.keys(given).find((key) => !allowed.includes(key));
  if (unknownKey) throw unknown(unknownKey, allowed);
  const { signal, onProgress, client, engine, as = "blob", keepRemote, settings: task, ...settings } = given;
  checkCall({ signal, onProgress, as });
  if (client !== undefined && typeof client?.[CONVERT] !== "function") throw invalid("client", "must be a Client");
  if (engine !== undefined && typeof engine !== "string") throw invalid("engine", "must be \"auto\", \"local\" or \"remote\"");
  if (keepRemote !== undefined && typeof keepRemote !== "boolean") throw invalid("keepRemote", "must be true or false");
  if (task !== undefined && !isPlainObject(task)) throw invalid("settings", "must be a plain object");
  return { signal, onProgress, client, engine, as, keepRemote, task, settings };
}

/** Throws where what any call may have is not what it has to be. */
export function checkCall({ signal, onProgress, as = "blob" }) {
  if (signal !== undefined && !isAbortSignal(signal)) throw invalid("signal", "must be an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function") throw invalid("onProgress", "must be a function");
  if (as !== "blob" && as !== "stream") throw invalid("as", 'must be "blob" or "stream"');
}

/** An `invalid_option` for the member `option`. */
export function invalid(option, message) {
  return new OptionsError("invalid_option", `${option} ${message}.`, { details: { option } });
}

/** An `unknown_option` for the member `option`. */
export function unknown(option, expected) {
  const message = `${option} is unknown here; expected ${expected.join(", ")}.`;
  return new OptionsError("unknown_option", message, { details: { option } });
}

/** Throws on an error of the planner; one that lists the options there are gets the names that the planner never sees. */
export function withOwnNames(thrown) {
  if (thrown?.code === "unknown_option" && !thrown.details.option.includes(".")) {
    thrown.message = thrown.message.replace(/\.$/, `, ${OWN.join(", ")}.`);
  }
  throw thrown;
}

/** True for an object literal, of whatever realm. */
export function isPlainObject(value) {
  if (stringTag(value) !== "Object") return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Names and values of an object, without those that are undefined. */
export const members = (value) => Object.entries(value).filter(([, member]) => member !== undefined);

/** A copy of the options; getters and proxies may throw anything. */
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

/** A copy; what is no list and no plain object, or lies too deep, as `leaf` makes it. */
function snapshot(value, depth, leaf) {
  // Fonts: the only list.
  if (Array.isArray(value)) return value.map((item) => copyBytes(item) ?? leaf(item));
  if (depth === 0 || !isPlainObject(value)) return leaf(value);
  return Object.fromEntries(members(value).map(([key, member]) => [key, snapshot(member, depth - 1, leaf)]));
}

/** Wasm cannot tell `null` from what is left out, and has no name for a function: NaN it refuses by the option's name. */
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
