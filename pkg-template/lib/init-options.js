// Reads what `init` is given, as a whole, before any of it is used. Each getter is called once, and may throw anything.
import { checkNames, invalid, isPlainObject, members } from "./options.js";
import { stringTag } from "./string-tag.js";

export const BUILDS = ["client", "photo", "photo_avif", "avif", "core", "full", "jxl"];

const OPTIONS = ["wasm", "workers", "worker", "idle", "decoders"];

/** The longest delay of a timer, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** What holds without `init`. `workers` is undefined for the package's own folder, and a URL otherwise. */
export const defaults = () => ({ workers: undefined, worker: true, idle: 30_000, decoders: {} });

/**
 * The members of `given` that are set: `workers`, `worker`, `idle` and `decoders` as in `defaults`; `wasm` as a list of [build, source], where the
 * build is undefined if one source serves all. `resolveFolder` returns the absolute URL of a folder, or throws.
 */
export function readInitOptions(given, resolveFolder) {
  const options = readOptions(given);
  const { wasm, workers, worker, idle, decoders } = { ...defaults(), ...options };
  if ("wasm" in options) options.wasm = readSources(wasm);
  if ("workers" in options) options.workers = readFolder(workers, resolveFolder);
  if (typeof worker !== "boolean") throw invalid("worker", "must be true or false");
  if (!Number.isInteger(idle) || idle < 0 || idle > MAX_DELAY) throw invalid("idle", `must be an integer from 0 to ${MAX_DELAY}`);
  if ("decoders" in options) options.decoders = readDecoders(decoders);
  return options;
}

/** Sources alone, without the object around them, stand for `wasm`. */
function readOptions(given) {
  const entries = entriesOf(given, "options");
  if (!entries) return { wasm: given };
  const names = entries.map(([name]) => name);
  if (names.length > 0 && names.every((name) => BUILDS.includes(name))) return { wasm: Object.fromEntries(entries) };
  checkNames(names, OPTIONS);
  return Object.fromEntries(entries);
}

function readSources(source) {
  const named = entriesOf(source, "wasm");
  if (!named) return [[undefined, source]];
  checkNames(named.map(([build]) => build), BUILDS, "wasm.");
  if (named.length === 0) throw invalid("wasm", "names no build");
  return named;
}

/** Functions by media type. */
function readDecoders(given) {
  const decoders = entriesOf(given, "decoders");
  if (!decoders) throw invalid("decoders", "must be an object of functions by media type");
  for (const [type, decode] of decoders) {
    if (!/^image\/./.test(type)) throw invalid("decoders", `must name types of images; "${type}" is none`);
    if (typeof decode !== "function") throw invalid(`decoders["${type}"]`, "must be a function");
  }
  return Object.fromEntries(decoders);
}

/** The members of a plain object; undefined for other values. */
function entriesOf(value, option) {
  try {
    return isPlainObject(value) ? members(value) : undefined;
  } catch {
    throw invalid(option, "cannot be read");
  }
}

/** A folder's URL ends in a slash. */
function readFolder(address, resolveFolder) {
  if (!resolveFolder) throw invalid("workers", "does not apply: there are no workers here");
  const refusal = invalid("workers", "must be the URL of a folder");
  if (!["String", "URL"].includes(stringTag(address))) throw refusal;
  try {
    const url = resolveFolder(String(address));
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url;
  } catch {
    throw refusal;
  }
}
