// Executes the calls of clients, which are futures inside the engine: one export polls them, another delivers the results that they
// wait for. So a trap in a future is caught like any other, and no promise stays pending.
import { abortable } from "../abort.js";
import { deserializeError } from "../error-conversion.js";
import { escapeControls } from "../escape-controls.js";
import { createCallHost } from "./host.js";

/** Executors by engine. A trap ends all calls of an engine. */
const executors = new WeakMap();

export function executorOf(engine) {
  if (!executors.has(engine)) executors.set(engine, createExecutor(engine));
  return executors.get(engine);
}

/** Restores an error of the engine. Control characters are escaped, except in the task, which is never printed. */
function toRemoteError({ task, ...error }) {
  const escaped = escapeAll(error);
  const { message } = escaped;
  return deserializeError({ ...escaped, message: message.endsWith("…") ? `${message}.` : message, task });
}

/** A deep copy with control characters escaped in all strings. */
function escapeAll(value) {
  if (typeof value === "string") return escapeControls(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeAll(member)]));
}

function createExecutor(engine) {
  /** The state of one wasm instance: the running calls by id, and their hosts. */
  const createState = () => ({ running: new Map(), callHosts: new Set() });
  let state = createState();

  engine.onTrap((trap) => {
    const { running, callHosts } = state;
    state = createState();
    callHosts.forEach((callHost) => callHost.end());
    running.forEach(({ reject }) => reject(trap));
  });

  /** Calls an export if the instance of `own` is still alive. A trap has already rejected its calls. */
  async function invoke(own, name, ...args) {
    if (own !== state) return undefined;
    try {
      return await engine.call(name, ...args);
    } catch {
      return undefined;
    }
  }

  async function drive(own, id) {
    const call = own.running.get(id);
    const settled = call && (await invoke(own, "poll", id));
    if (!settled || !own.running.delete(id)) return;
    if ("error" in settled) call.reject(toRemoteError(settled.error));
    else call.resolve(settled.value);
  }

  /** Runs a call by its name until it ends or `signal` aborts. */
  return async function run(host, name, options, { signal, payload, notify } = {}) {
    let own;
    let id;
    const deliver = async (ticket, failed, value) => {
      const waiting = await invoke(own, "deliver", ticket, failed, value);
      if (waiting !== undefined) drive(own, waiting);
    };
    // Deferred, because a notification may end the call that is being polled.
    const deferNotify = notify && ((...args) => queueMicrotask(() => notify(...args)));
    const callHost = createCallHost(host, deliver);
    do {
      // Repeated if the instance was replaced in the meantime. A call does nothing before it is polled.
      own = state;
      id = await engine.call("begin", callHost, name, options, payload, deferNotify);
    } while (own !== state);
    const settled = new Promise((resolve, reject) => own.running.set(id, { resolve, reject }));
    own.callHosts.add(callHost);
    drive(own, id);
    try {
      return await abortable(signal, settled, () => own.running.delete(id) && invoke(own, "cancel", id));
    } finally {
      own.callHosts.delete(callHost);
    }
  };
}
