// One file of the page, and its processing. States:
//   reading        its format is being recognized       no-server      it needs a server, and there is none
//   working        it is processed, or in queue         needs-consent  it needs a server, and the visitor has not agreed yet
//   done · failed · canceled
// A change of settings or server plans again (`refresh`); processing starts again only if the planned call differs.
// A result stays until another takes its place, so `result` may belong to an earlier call than `call`: `made` is the one that it
// belongs to.
import { watchConnection } from "./connection.js";
import { isOverLocalLimit } from "./errors.js";
import { createSemaphore } from "./semaphore.js";
import { formats, make, recognize, toPng } from "./package.js";
import { outputFormats } from "./output-formats.js";
import { planCall } from "./plan.js";
import { forget, recall, remember } from "./result-cache.js";
import { service } from "./service.js";

const remotePermits = createSemaphore(2);
/** Files that are recognized at once; the page stays responsive while thousands wait. */
const readingPermits = createSemaphore(8);

/** Dispatches "change" whenever one of its properties changes. */
export class Item extends EventTarget {
  state = "reading";
  /** The last progress event of the package. Before the first one, the phase is "wait". */
  progress = { phase: "wait", ratio: 0 };
  /** Whether a request is being retried, because the server did not answer or was busy. */
  retried = false;
  /** The result of `recognize`; undefined until then. */
  facts;
  /** What is processed: the file, or a PNG of it where only the browser can decode it. */
  source;
  /** Entries of `formats()` that it can be converted to. */
  outputs = [];
  /** Settings of this file only, which take precedence over those for all files. Members as in `readSettings().image`. */
  own = {};
  /** The planned call that the state refers to. */
  call;
  /** The result of the package, the call that made it, and the time that it took in milliseconds. */
  result;
  made;
  ms;
  /** Whether the result was downloaded. */
  saved = false;
  /** Host of the server that processed it; undefined if this device did. */
  host;
  error;
  #settings;
  #controller;
  /** `service.identity` of the last call. */
  #lastServer;
  /** Formats that the server can convert it to, if it refused one. */
  #allowed;
  /** A limit of this device that it exceeded: the error, and the plan that caused it. */
  #exceeded;
  /** That error, if the current plan exceeds the limit. */
  #limitError;

  /**
   * @param {string} path of the file in the folder that it came with; its name if it came alone.
   * @param {() => object} settings returns the settings for all files.
   */
  constructor(file, path, settings) {
    super();
    Object.assign(this, { file, path, source: file });
    this.#settings = settings;
  }

  /** Recognizes the file, then processes it. */
  async begin() {
    const controller = this.#renew();
    // A new item is in this state already.
    if (this.state !== "reading") this.#enter("reading", { error: undefined });
    try {
      const facts = await readingPermits(controller.signal, () => this.#recognize(controller.signal));
      if (this.#controller !== controller) return;
      this.facts = facts;
      await this.refresh();
    } catch (error) {
      this.#fail(controller, error);
    }
  }

  async #recognize(signal) {
    const facts = await recognize(this.file, signal);
    if (facts.class) return facts;
    // It is decoded once, instead of in each call.
    this.source = await toPng(this.file, signal);
    const decoded = await recognize(this.source, signal);
    return { ...decoded, name: facts.name, fallback: decoded.hasAlpha ? "image/webp" : "image/jpeg" };
  }

  /** Plans again after a change of settings or server. Starts again only if the plan is different. */
  async refresh() {
    if (!this.facts) return;
    const all = outputFormats(await formats(), this.facts, service.address !== "");
    this.outputs = this.#allowed ? all.filter(({ type }) => this.#allowed.includes(type) || type === this.facts.type) : all;
    const call = this.plan(this.own);
    // A server adds no watermark.
    this.#limitError = this.#exceedsLimit(call) && !call.options.overlay ? this.#exceeded.error : undefined;
    if (this.#limitError) call.remote = true;
    const same = JSON.stringify(call) === JSON.stringify(this.call);
    if (same && this.#stays()) return this.#notify();
    this.call = call;
    this.#run();
  }

  /** The call for other settings of this file. Members that are undefined follow the settings for all files. */
  plan(changes) {
    const own = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    return planCall(this.#settings(), this.facts, own, this.outputs);
  }

  /** Whether an unchanged call need not be started again. A server that was removed gets no more requests. */
  #stays() {
    const { state, call } = this;
    const elsewhere = call.remote && service.identity !== this.#lastServer;
    if (state === "working") return this.#controller !== undefined && (!call.remote || (service.allowed && !elsewhere));
    return state === "done" || state === "canceled" || (state === "failed" && !elsewhere);
  }

  /** Whether a plan exceeds a limit of this device. Memory and pixels depend on the settings, so only the same plan exceeds them. */
  #exceedsLimit(call) {
    if (!this.#exceeded) return false;
    return this.#exceeded.error.code === "input_too_large" || JSON.stringify(call) === this.#exceeded.plan;
  }

  /** Changes settings of this file. Those that are undefined follow the settings for all files again. */
  adjust(changes) {
    const own = { ...this.own, ...changes };
    this.own = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    return this.refresh();
  }

  cancel() {
    if (this.state !== "working" && this.state !== "reading") return;
    this.#controller.abort();
    this.#enter("canceled");
  }

  retry() {
    if (this.facts) this.#run();
    else this.begin();
  }

  /** Aborts the call without dispatching further events. */
  drop() {
    this.#controller?.abort();
    this.#controller = undefined;
  }

  /** Goes on after `drop`, by the settings of now. */
  restore() {
    if (this.facts) this.refresh();
    else if (this.state === "reading") this.begin();
  }

  /** Frees results that are not shown. The item is not used any more. */
  dispose() {
    forget(this.file);
  }

  /** Remembers that a result was downloaded, unless another one has taken its place. */
  markSaved(result) {
    if (result !== this.result) return;
    this.saved = true;
    this.#notify();
  }

  async #run() {
    const controller = this.#renew();
    const { signal } = controller;
    const { call } = this;
    const { remote } = call;
    const clear = { error: undefined, progress: { phase: "wait", ratio: 0 }, retried: false };
    // What this device cannot read is for a server, and no server adds a watermark.
    const { unread } = this.facts;
    if (unread && (!service.address || call.options.overlay)) return this.#enter("failed", { ...clear, error: unread });
    if (remote && !service.address) return this.#enter("no-server", { ...clear, error: this.#limitError });
    if (remote && !service.allowed) return this.#enter("needs-consent", clear);
    const known = remote ? undefined : recall(this.file, call);
    if (known) return this.#finish(known, undefined, clear);
    this.#lastServer = service.identity;
    const host = remote ? service.host : undefined;
    this.#enter("working", clear);
    try {
      const outcome = await (remote ? remotePermits(signal, () => this.#make(signal)) : this.#make(signal));
      if (this.#controller !== controller) return;
      if (!remote) remember(this.file, call, outcome);
      this.#finish(outcome, host);
    } catch (error) {
      this.#fail(controller, error);
    }
  }

  #finish({ result, ms }, host, changes) {
    const saved = this.saved && this.result === result;
    this.#enter("done", { ...changes, result, ms, host, saved, made: this.call });
  }

  async #make(signal) {
    const { remote } = this.call;
    let started;
    const enter = (progress, retried) => {
      if (!signal.aborted) this.#enter("working", { progress, retried });
    };
    const onProgress = (progress) => {
      // Time in the queue does not count.
      if (progress.phase !== "load" && started === undefined) {
        started = performance.now();
        // Also counts if the call fails or is canceled.
        if (remote) service.countUpload(this.source.size);
      }
      enter(progress, false);
    };
    const onOutcome = (outcome) => {
      // "silent" is only reliable before the first response, which ends the first phase.
      if (outcome !== "silent" || this.progress.phase === "load") enter(this.progress, outcome !== "answered");
    };
    // Previews of a document's pages are rendered from the files at the server.
    const where = remote ? { client: await service.client(), engine: "remote", keepRemote: true } : {};
    const stopWatching = remote ? watchConnection(service.address, onOutcome) : () => {};
    try {
      const result = await make(this.source, this.call, { ...where, signal, onProgress });
      return { result, ms: performance.now() - started };
    } finally {
      stopWatching();
    }
  }

  #fail(controller, error) {
    if (this.#controller !== controller || controller.signal.aborted) return;
    if (isOverLocalLimit(error) && this.call && !this.call.remote && !this.call.options.overlay) {
      this.#exceeded = { error, plan: JSON.stringify(this.call) };
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
    this.#notify();
  }

  #notify() {
    this.dispatchEvent(new Event("change"));
  }
}
