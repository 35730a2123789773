// Results of the image server in memory, the ones used last; and work in progress, which is done once for all who wait for it.
import { abortable } from "../lib/abort.js";
import { refuse } from "./refusal.js";

/** Entries `{ bytes, … }` by key, up to `capacity` bytes in all. A key counts too: visitors choose its length. */
export function createMemory(capacity) {
  const entries = new Map();
  let used = 0;
  const sizeOf = (key, { bytes }) => key.length + bytes.length;

  function remove(key) {
    if (entries.has(key)) used -= sizeOf(key, entries.get(key));
    entries.delete(key);
  }

  function get(key) {
    const entry = entries.get(key);
    if (entry) entries.delete(key), entries.set(key, entry);
    return entry;
  }

  function set(key, entry) {
    remove(key);
    if (sizeOf(key, entry) > capacity) return;
    entries.set(key, entry);
    used += sizeOf(key, entry);
    for (const oldest of entries.keys()) {
      if (used <= capacity) break;
      remove(oldest);
    }
  }

  return { get, set };
}

/**
 * Returns `run(key, signal, start)`, which resolves to what `start(signal)` resolves to. Calls with the same key share it if `coalesce`. It is
 * aborted when all who wait have gone, and after `timeout` milliseconds. Rejects with status 503 if `most` are running.
 */
export function createWork({ coalesce, most, timeout }) {
  const jobs = new Map();

  function begin(key, start) {
    if (jobs.size >= most) throw refuse(503, "busy", "Too many images are being made.");
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(refuse(504, "timeout", "The image took too long.")), timeout);
    const job = { waiting: 0, controller };
    const end = () => {
      clearTimeout(timer);
      if (jobs.get(key) === job) jobs.delete(key);
    };
    job.end = end;
    job.promise = abortable(controller.signal, start(controller.signal)).finally(end);
    job.promise.catch(() => {});
    jobs.set(key, job);
    return job;
  }

  return async function run(key, signal, start) {
    // A signal that has aborted has no further event.
    if (signal?.aborted) throw signal.reason;
    const name = coalesce ? key : Symbol(key);
    const job = jobs.get(name) ?? begin(name, start);
    job.waiting++;
    const leave = () => {
      if (--job.waiting > 0) return;
      job.end();
      job.controller.abort(signal.reason);
    };
    signal?.addEventListener("abort", leave);
    try {
      return await job.promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  };
}
