// One file and what becomes of it. Its `state`:
//   reading   what it is, is being found out        lacking    it needs a service, and there is none
//   working   it is its turn, or soon               asking     it would leave the device, which is not allowed yet
//   done · failed · cancelled
import { watchConnection } from "./connection.js";
import { isOver } from "./errors.js";
import { createLanes } from "./semaphore.js";
import { filepress, formats, recognize } from "./package.js";
import { outputsOf } from "./output-formats.js";
import { planCall } from "./plan.js";
import { service } from "./service.js";

const throughService = createLanes(2);

/** Says with the event "change" that something about it is different. */
export class Item extends EventTarget {
  state = "reading";
  /** Of `onProgress`; before it begins with the phase "wait". */
  progress = { phase: "wait", ratio: 0 };
  /** Whether the service is asked again, since it did not answer or was busy. */
  retried = false;
  /** What `recognize` told; undefined until then. */
  facts;
  /** Rows of `formats()` that it can become. */
  outputs = [];
  /** The type chosen for this file alone; "" where the settings for all hold. */
  choice = "";
  /** The plan that the state is about. */
  call;
  /** Of the package, and the milliseconds that it took. */
  result;
  ms;
  /** Host of the service that made it; undefined where this device did. */
  host;
  error;
  #settings;
  #controller;
  /** The service that was called last. */
  #called;
  /** Types that the service can make of it, where it refused one. */
  #allowed;
  /** How it is over a limit of this device: the error, and the plan that had it. */
  #over;
  /** That error, where the plan is over a limit. */
  #excess;

  /** @param {() => object} settings reads the settings for all. */
  constructor(file, settings) {
    super();
    this.file = file;
    this.#settings = settings;
  }

  /** Finds out what the file is, then makes it smaller. */
  async begin() {
    const controller = this.#renew();
    this.#enter("reading", { error: undefined, result: undefined });
    try {
      const facts = await recognize(this.file, controller.signal);
      if (this.#controller !== controller) return;
      this.facts = facts;
      await this.refresh();
    } catch (error) {
      this.#fail(controller, error);
    }
  }

  /** Settings or the service changed: plans anew, and starts again only where that makes a difference. */
  async refresh() {
    if (!this.facts) return;
    const all = outputsOf(await formats(), this.facts, service.address !== "");
    this.outputs = this.#allowed ? all.filter(({ type }) => this.#allowed.includes(type) || type === this.facts.type) : all;
    const call = planCall(this.#settings(), this.facts, this.choice, new Set(this.outputs.map(({ type }) => type)));
    this.#excess = this.#isOver(call) ? this.#over.error : undefined;
    if (this.#excess) call.remote = true;
    const same = JSON.stringify(call) === JSON.stringify(this.call);
    if (same && this.#stays()) return this.#tell();
    this.call = call;
    this.#run();
  }

  /** Whether the same call has nothing to gain from another beginning. A service that was forgotten gets nothing more. */
  #stays() {
    const { state, call } = this;
    const elsewhere = call.remote && service.identity !== this.#called;
    if (state === "working") return !call.remote || (service.allowed && !elsewhere);
    return state === "done" || state === "cancelled" || (state === "failed" && !elsewhere);
  }

  /** Whether a plan is over a limit of this device: of memory it may be one with other settings that is not. */
  #isOver(call) {
    if (!this.#over) return false;
    return this.#over.error.code !== "too_much_memory" || JSON.stringify(call) === this.#over.plan;
  }

  choose(type) {
    this.choice = type;
    this.refresh();
  }

  cancel() {
    if (this.state !== "working" && this.state !== "reading") return;
    this.#controller.abort();
    this.#enter("cancelled");
  }

  retry() {
    if (this.facts) this.#run();
    else this.begin();
  }

  /** Ends what is under way; nothing is said any more. */
  drop() {
    this.#controller?.abort();
    this.#controller = undefined;
  }

  async #run() {
    const controller = this.#renew();
    const { signal } = controller;
    const { remote } = this.call;
    const clear = { result: undefined, error: undefined, progress: { phase: "wait", ratio: 0 }, retried: false };
    if (remote && !service.address) return this.#enter("lacking", { ...clear, error: this.#excess });
    if (remote && !service.allowed) return this.#enter("asking", clear);
    this.#called = service.identity;
    const host = remote ? service.host : undefined;
    this.#enter("working", clear);
    try {
      const { result, ms } = await (remote ? throughService(signal, () => this.#make(signal)) : this.#make(signal));
      if (this.#controller === controller) this.#enter("done", { result, ms, host });
    } catch (error) {
      this.#fail(controller, error);
    }
  }

  async #make(signal) {
    const { compress } = await filepress();
    const { to, options, remote } = this.call;
    let started;
    const enter = (progress, retried) => {
      if (!signal.aborted) this.#enter("working", { progress, retried });
    };
    const onProgress = (progress) => {
      // Waiting for a turn is nothing that the file needed.
      if (progress.phase !== "load") started ??= performance.now();
      enter(progress, false);
    };
    const hear = (outcome) => {
      // The first answer ends the first phase: until then, and only until then, there was none indeed.
      if (outcome !== "silent" || this.progress.phase === "load") enter(this.progress, outcome !== "answered");
    };
    // Pages of a document are drawn from the file that the service has.
    const where = remote ? { client: await service.client(), engine: "remote", keepRemote: true } : {};
    const leave = remote ? watchConnection(service.address, hear) : () => {};
    try {
      const result = await compress(this.file, { ...options, ...where, ...(to && { to }), signal, onProgress });
      return { result, ms: performance.now() - started };
    } finally {
      leave();
    }
  }

  #fail(controller, error) {
    if (this.#controller !== controller || controller.signal.aborted) return;
    if (isOver(error) && this.call && !this.call.remote) {
      this.#over = { error, plan: JSON.stringify(this.call) };
      this.refresh();
      return;
    }
    if (error.code === "unsupported_pair") this.#allowed = error.details?.outputs;
    this.#enter("failed", { error });
  }

  #renew() {
    this.#controller?.abort();
    this.#controller = new AbortController();
    return this.#controller;
  }

  #enter(state, changes) {
    Object.assign(this, { state }, changes);
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
