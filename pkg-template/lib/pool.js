// A pool of workers: spawned when a job is queued and none is free, kept for a while, terminated by an abort. Each worker has one build;
// all builds share the pool and one FIFO queue. The memory of running jobs and of idle workers is bounded together, because the memory
// of an instance never shrinks. `spawn` of platforms/{browser,node}.js starts a Worker. After a trap its job fails, and the worker goes
// on with a new instance (engine.js). A worker that dies fails its job with `worker_failed`, and the next job starts another.
import { abortable } from "./abort.js";
import { InternalError } from "./errors.js";
import { readBlob } from "./input.js";
import { describeError, deserializeError } from "./error-conversion.js";

/**
 * Creates a pool of workers, each kept for `settings.idle` milliseconds after its last job. `platform` has `limit`, the most
 * workers, and `memory`, the most bytes, where a job that needs more runs alone; `spawn(build, folder, { onMessage, onDeath })`, which
 * returns a worker: { postMessage, terminate }, in Node with { ref, unref }; and `takesBlobs`: whether Blobs can be sent to workers.
 */
export const createPool = (builds, settings, platform) => new Pool(builds, settings, platform);

/** Rejects the job of a worker that could not be started. The job was not begun. */
export class StartFailure {
  constructor(cause) {
    this.cause = cause;
  }
}

class Pool {
  #builds;
  #settings;
  #platform;
  #workers = new Set();
  #queue = [];

  constructor(builds, settings, platform) {
    this.#builds = builds;
    this.#settings = settings;
    this.#platform = platform;
  }

  /** The most jobs at once. */
  get limit() {
    return this.#platform.limit;
  }

  async run(wanted, job, onStage, signal) {
    const { build, module } = await abortable(signal, this.#builds.load(wanted));
    const task = { build, module, job, onStage };
    const done = new Promise((resolve, reject) => Object.assign(task, { resolve, reject }));
    this.#queue.push(task);
    this.#dispatch();
    return abortable(signal, done, () => this.#cancel(task));
  }

  /** Starts a worker for a build, unless there is one or no room. Resolves to false if it cannot be started. */
  async preload(wanted) {
    const { build, module } = await this.#builds.load(wanted);
    const workers = [...this.#workers];
    if (workers.some((worker) => worker.build === build)) return true;
    const { limit } = this.#platform;
    this.#evictIdle(workers.filter(({ task }) => !task), 0, limit - 1);
    if (this.#workers.size === limit) return true;
    try {
      const worker = this.#spawn(build, module);
      const started = await worker.ready;
      if (this.#workers.has(worker) && !worker.task) this.#rest(worker);
      return started;
    } catch {
      return false;
    }
  }

  #dispatch() {
    const queue = this.#queue;
    while (queue.length > 0) {
      const [task] = queue;
      try {
        const worker = this.#findWorker(task);
        if (!worker) return;
        this.#begin(worker, task);
      } catch (thrown) {
        task.reject(new StartFailure(thrown));
      }
      queue.shift();
    }
  }

  #findWorker({ build, module, job: { need } }) {
    const { limit, memory } = this.#platform;
    const workers = [...this.#workers];
    const busy = workers.filter(({ task }) => task);
    const taken = busy.reduce((sum, worker) => sum + Math.max(worker.held, worker.task.job.need), 0);
    if (busy.length > 0 && (busy.length === limit || taken + need > memory)) return undefined;
    const idle = workers.filter(({ task }) => !task);
    // A worker that holds more memory than the job needs is only used if there is room for it.
    const fitting = idle.find((worker) => worker.build === build && (worker.held <= need || taken + worker.held <= memory));
    this.#evictIdle(
      idle.filter((worker) => worker !== fitting),
      fitting ? Math.max(fitting.held, need) + taken : need + taken,
      fitting ? limit : limit - 1,
    );
    return fitting ?? this.#spawn(build, module);
  }

  /** Terminates idle workers, largest memory first, until at most `most` workers are left and their memory fits. */
  #evictIdle(idle, taken, most) {
    let held = idle.reduce((sum, worker) => sum + worker.held, 0);
    for (const worker of idle.sort((one, other) => other.held - one.held)) {
      if (this.#workers.size <= most && held + taken <= this.#platform.memory) return;
      held -= worker.held;
      this.#terminate(worker);
    }
  }

  #spawn(build, module) {
    const worker = { build, started: false, held: 0 };
    worker.ready = new Promise((resolve) => (worker.settle = resolve));
    worker.thread = this.#platform.spawn(build, this.#settings.workers, {
      onMessage: (message) => this.#receive(worker, message),
      onDeath: (cause) => this.#onDeath(worker, cause),
    });
    worker.thread.postMessage({ module });
    this.#workers.add(worker);
    return worker;
  }

  #begin(worker, task) {
    clearTimeout(worker.timer);
    worker.task = task;
    worker.thread.ref?.();
    this.#open(task.job.source)
      // What is transferred to a worker that never starts is lost.
      .then((input) => worker.ready.then(() => worker.task === task && post(worker, task, input)))
      .catch((thrown) => worker.task === task && this.#finish(worker, () => task.reject(thrown)));
  }

  /** The input in the form to send. Blobs are read only now, so that queued ones take no memory. */
  async #open({ blob, bytes }) {
    return bytes ?? (this.#platform.takesBlobs ? blob : readBlob(blob));
  }

  #receive(worker, message) {
    const { task } = worker;
    if (message.started) {
      worker.started = true;
      worker.settle(true);
    }
    if (message.held !== undefined) worker.held = message.held;
    if (!task || message.started || message.recycled) return;
    if (message.input) task.job.source.bytes = message.input;
    if (message.output) task.job.onOutput(message.output);
    else if (message.stage) task.onStage(message.stage, message.ratio, message.next, message.attempt);
    else if (message.error) {
      // Without an instance the worker is of no use: the next job starts another.
      if (message.error.code === "engine_load") this.#terminate(worker);
      this.#finish(worker, () => task.reject(deserializeError(message.error)));
    } else this.#finish(worker, () => task.resolve(message));
  }

  #finish(worker, settle) {
    worker.task = undefined;
    if (this.#workers.has(worker)) this.#rest(worker);
    settle();
    this.#dispatch();
  }

  /** Keeps an idle worker for a while. */
  #rest(worker) {
    worker.thread.unref?.();
    clearTimeout(worker.timer);
    worker.timer = setTimeout(() => this.#terminate(worker), this.#settings.idle);
    worker.timer.unref?.();
  }

  #cancel(task) {
    const place = this.#queue.indexOf(task);
    if (place >= 0) this.#queue.splice(place, 1);
    const worker = [...this.#workers].find((candidate) => candidate.task === task);
    if (worker) this.#terminate(worker);
    // Deferred, because one abort often ends many calls: no worker should be spawned for the next of them.
    queueMicrotask(() => this.#dispatch());
  }

  /** Terminates a worker. Its pending messages are ignored, because it has no task. */
  #terminate(worker) {
    this.#workers.delete(worker);
    clearTimeout(worker.timer);
    worker.task = undefined;
    worker.settle(true);
    worker.thread.terminate();
  }

  #onDeath(worker, cause) {
    if (!this.#workers.has(worker)) return;
    const { task } = worker;
    worker.settle(false);
    this.#terminate(worker);
    task?.reject(worker.started ? failure(cause) : new StartFailure(cause));
    this.#dispatch();
  }
}

function failure(cause) {
  return new InternalError("worker_failed", `A worker ended unexpectedly (${describeError(cause)}).`, { cause });
}

function post(worker, { job: { call, type, settings }, onStage }, input) {
  const transfer = ArrayBuffer.isView(input) ? [input.buffer] : [];
  worker.thread.postMessage({ call, type, settings, input, reports: onStage !== undefined }, transfer);
}
