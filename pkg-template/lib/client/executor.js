// Carries on the calls of a client, which are futures inside the engine. They are polled by calls of an export, and told of what they
// wait for by another, so that a trap in one is caught like any other and no promise is left without an end.
import { abortable } from "../abort.js";
import { deserializeError } from "../error-conversion.js";
import { escapeControls } from "../escape-controls.js";
import { createCallHost } from "./host.js";

/** Per engine, its calls: a trap of one ends them all. */
const known = new WeakMap();

export function executorOf(engine) {
  if (!known.has(engine)) known.set(engine, createExecutor(engine));
  return known.get(engine);
}

/** A service's words come out in terminals as well. The task of an error is the service's document, which nobody prints. */
function toRemote({ task, ...error }) {
  const told = seen(error);
  return deserializeError({ ...told, message: told.message.endsWith("…") ? `${told.message}.` : told.message, task });
}

/** A copy of an error's plain form, whose texts are visible. */
function seen(value) {
  if (typeof value === "string") return escapeControls(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, seen(member)]));
}

function createExecutor(engine) {
  /** What belongs to one instance: what settles a call, by its id, and the hosts of the calls. */
  const createLife = () => ({ running: new Map(), callHosts: new Set() });
  let life = createLife();

  engine.onTrap((trap) => {
    const { running, callHosts } = life;
    life = createLife();
    callHosts.forEach((callHost) => callHost.end());
    running.forEach(({ reject }) => reject(trap));
  });

  /** Calls an export for a call of this instance. A trap has rejected the call already. */
  async function invoke(own, name, ...args) {
    if (own !== life) return undefined;
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
    if ("error" in settled) call.reject(toRemote(settled.error));
    else call.resolve(settled.value);
  }

  /** Runs a call by its name to its end, or to the abort of `signal`. */
  return async function run(host, name, options, { signal, payload, notify } = {}) {
    let own;
    let id;
    const deliver = async (ticket, failed, value) => {
      const waiting = await invoke(own, "deliver", ticket, failed, value);
      if (waiting !== undefined) drive(own, waiting);
    };
    // Later, since what is told may end the call, which is polled at this moment.
    const tell = notify && ((...news) => queueMicrotask(() => notify(...news)));
    const callHost = createCallHost(host, deliver);
    do {
      // Begun in an instance that ended meanwhile it is not begun; it does nothing before it is polled.
      own = life;
      id = await engine.call("begin", callHost, name, options, payload, tell);
    } while (own !== life);
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
