// A pool of workers: spawned when a job is queued and none is free, kept for a while, terminated by an abort. Each worker has one build;
// all builds share the pool and one FIFO queue. The memory of running jobs and of idle workers is bounded together, because the memory
// of an instance never shrinks.
import { abortable } from "./abort.js";
import { InternalError } from "./errors.js";
import { readBlob } from "./input.js";
import { describeError, deserializeError } from "./error-conversion.js";

/** Idle workers are terminated after this many milliseconds. */
const IDLE_MS = 30_000;

/**
 * Creates a pool of at most `limit` workers and `memory` bytes. A job that needs more memory runs alone.
 * `spawn(build, { onMessage, onDeath })` returns a worker: { postMessage, terminate }, in Node with { ref, unref }. `hint` is advice for
 * the case that a worker cannot be started. `takesBlobs` says whether Blobs can be sent to workers.
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
    // A worker that holds more memory than the job needs is only used if there is room for it.
    const fitting = idle.find((worker) => worker.build === build && (worker.held <= need || taken + worker.held <= memory));
    evictIdle(
      idle.filter((worker) => worker !== fitting),
      fitting ? Math.max(fitting.held, need) + taken : need + taken,
      fitting ? limit : limit - 1,
    );
    return fitting ?? spawnWorker(build, module);
  }

  /** Terminates idle workers, largest memory first, until at most `most` workers are left and their memory fits. */
  function evictIdle(idle, taken, most) {
    let held = idle.reduce((sum, worker) => sum + worker.held, 0);
    for (const worker of idle.sort((one, other) => other.held - one.held)) {
      if (workers.size <= most && held + taken <= memory) return;
      held -= worker.held;
      terminate(worker);
    }
  }

  function spawnWorker(build, module) {
    const worker = { build, started: false, held: 0 };
    worker.thread = spawn(build, {
      onMessage: (message) => receive(worker, message),
      onDeath: (cause) => onWorkerDeath(worker, cause),
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

  /** The input in the form to send. Blobs are read only now, so that queued ones take no memory. */
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
      // The module is unusable; the next job loads it again.
      if (message.error.code === "engine_load") terminate(worker);
    } else finish(worker, () => task.resolve(message));
  }

  function finish(worker, settle) {
    worker.task = undefined;
    worker.thread.unref?.();
    worker.timer = setTimeout(() => terminate(worker), IDLE_MS);
    worker.timer.unref?.();
    settle();
    dispatch();
  }

  function cancel(task) {
    const place = queue.indexOf(task);
    if (place >= 0) queue.splice(place, 1);
    const worker = [...workers].find((candidate) => candidate.task === task);
    if (worker) terminate(worker);
    // Deferred, because one abort often ends many calls: no worker should be spawned for the next of them.
    queueMicrotask(dispatch);
  }

  /** Terminates a worker. Its pending messages are ignored, because it has no task. */
  function terminate(worker) {
    workers.delete(worker);
    clearTimeout(worker.timer);
    worker.task = undefined;
    worker.thread.terminate();
  }

  function onWorkerDeath(worker, cause) {
    if (!workers.has(worker)) return;
    const { task } = worker;
    terminate(worker);
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
