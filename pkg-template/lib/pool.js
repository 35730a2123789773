// A pool of workers: spawned when a job waits and none is free, kept for a while, ended by an abort.
// A worker holds one build; all builds share the pool and one queue, first come, first served. What jobs need and what workers
// still hold from earlier ones is kept within bounds together, since the memory of an instance never shrinks.
import { abortable } from "./abort.js";
import { InternalError } from "./errors.js";
import { readBlob } from "./input.js";
import { describeError, deserializeError } from "./error-conversion.js";

/** How long a worker without a job is kept, in milliseconds. */
const IDLE_MS = 30_000;

/**
 * At most `limit` workers, and `memory` bytes in all; a job that needs more than that runs alone.
 * `spawn(build, { onMessage, onDeath })` makes one: postMessage, terminate, and ref and unref in Node. `hint` says what to look at
 * when a worker cannot be started, `takesBlobs` whether Blobs can be sent to one.
 */
export function createPool(builds, { limit, memory, spawn, hint, takesBlobs }) {
  const workers = new Set();
  const queue = [];

  async function run(wanted, job, onStage, signal) {
    const { build, module } = await abortable(signal, builds.load(wanted));
    const task = { build, module, job, onStage };
    const done = new Promise((resolve, reject) => Object.assign(task, { resolve, reject }));
    queue.push(task);
    dispatch();
    return abortable(signal, done, () => cancel(task));
  }

  function dispatch() {
    while (queue.length > 0) {
      const [task] = queue;
      try {
        const worker = findWorker(task);
        if (!worker) return;
        begin(worker, task);
      } catch (thrown) {
        task.reject(failure(false, thrown));
      }
      queue.shift();
    }
  }

  function findWorker({ build, module, job: { need } }) {
    const busy = [...workers].filter(({ task }) => task);
    const taken = busy.reduce((sum, worker) => sum + Math.max(worker.held, worker.task.job.need), 0);
    if (busy.length > 0 && (busy.length === limit || taken + need > memory)) return undefined;
    const idle = [...workers].filter(({ task }) => !task);
    // One that holds more than this job needs, and than there is room for, is not taken.
    const fitting = idle.find((worker) => worker.build === build && (worker.held <= need || taken + worker.held <= memory));
    makeRoom(
      idle.filter((worker) => worker !== fitting),
      fitting ? Math.max(fitting.held, need) + taken : need + taken,
      fitting ? limit : limit - 1,
    );
    return fitting ?? hire(build, module);
  }

  /** Dismisses idle workers, those that hold most first, until at most `most` workers are left, who hold no more than is free. */
  function makeRoom(idle, taken, most) {
    let held = idle.reduce((sum, worker) => sum + worker.held, 0);
    for (const worker of idle.sort((one, other) => other.held - one.held)) {
      if (workers.size <= most && held + taken <= memory) return;
      held -= worker.held;
      dismiss(worker);
    }
  }

  function hire(build, module) {
    const worker = { build, started: false, held: 0 };
    worker.thread = spawn(build, {
      onMessage: (message) => receive(worker, message),
      onDeath: (cause) => lose(worker, cause),
    });
    worker.thread.postMessage({ module });
    workers.add(worker);
    return worker;
  }

  function begin(worker, task) {
    clearTimeout(worker.timer);
    worker.task = task;
    worker.thread.ref?.();
    open(task.job.source)
      .then((input) => worker.task === task && post(worker, task, input))
      .catch((thrown) => worker.task === task && finish(worker, () => task.reject(thrown)));
  }

  /** What is sent of an input. Read now that it is its turn, so that waiting Blobs take no memory. */
  async function open({ blob, bytes }) {
    return bytes ?? (takesBlobs ? blob : readBlob(blob));
  }

  function post(worker, { job: { call, type, settings }, onStage }, input) {
    const transfer = ArrayBuffer.isView(input) ? [input.buffer] : [];
    worker.thread.postMessage({ call, type, settings, input, reports: onStage !== undefined }, transfer);
  }

  function receive(worker, message) {
    const { task } = worker;
    if (message.started) worker.started = true;
    if (message.held !== undefined) worker.held = message.held;
    if (!task || message.started || message.recycled) return;
    if (message.stage) task.onStage(message.stage, message.ratio);
    else if (message.error) {
      if (message.input) task.job.source.bytes = message.input;
      finish(worker, () => task.reject(deserializeError(message.error)));
      // Its module is of no use; the next job has it from where it comes by then.
      if (message.error.code === "engine_load") dismiss(worker);
    } else finish(worker, () => task.resolve(message));
  }

  function finish(worker, settle) {
    worker.task = undefined;
    worker.thread.unref?.();
    worker.timer = setTimeout(() => dismiss(worker), IDLE_MS);
    worker.timer.unref?.();
    settle();
    dispatch();
  }

  function cancel(task) {
    const place = queue.indexOf(task);
    if (place >= 0) queue.splice(place, 1);
    const worker = [...workers].find((candidate) => candidate.task === task);
    if (worker) dismiss(worker);
    // Later, since one abort often ends many calls: no worker is to be spawned for a call that is ended next.
    queueMicrotask(dispatch);
  }

  /** Ends a worker. What it still says is not heard, since it has no task. */
  function dismiss(worker) {
    workers.delete(worker);
    clearTimeout(worker.timer);
    worker.task = undefined;
    worker.thread.terminate();
  }

  function lose(worker, cause) {
    if (!workers.has(worker)) return;
    const { task } = worker;
    dismiss(worker);
    task?.reject(failure(worker.started, cause));
    dispatch();
  }

  function failure(started, cause) {
    const what = started ? "ended unexpectedly" : "could not be started";
    const message = `A worker ${what} (${describeError(cause)}).${started ? "" : ` ${hint}`}`;
    return new InternalError("worker_failed", message, { cause });
  }

  return run;
}
