// A wasm instance in the current thread, of a Worker or of the page. A trap leaves it unusable: it is dropped, and the next call starts
// a new one of the same module. A stateless call is then tried once more if the trap may pass (`mayPass`); any other call rejects. The
// instance is also dropped after large jobs, because wasm memory never shrinks.
import { deserializeError, mayPass, toFilepressError, toLoadError } from "./error-conversion.js";

/** An instance with more memory than this in bytes is dropped after a job. */
const RECYCLE_ABOVE = 64 * 1024 * 1024;

export class Engine {
  #glue;
  #start;
  #idleMs;
  #onRecycled;
  #alive = false;
  #timer;
  #opening;
  #needsReset = false;
  #listeners = new Set();
  /** Whether there was an instance. */
  hasRun = false;

  /**
   * `start(glue, module)` creates an instance inside the glue, synchronously or as a promise. A large instance is dropped when no call
   * came for `idleMs` milliseconds, so that a batch of photos reuses one instance; then `onRecycled` is called.
   */
  constructor(build, glue, module, start, idleMs = 0, onRecycled) {
    this.build = build;
    this.module = module;
    this.#glue = glue;
    this.#start = start;
    this.#idleMs = idleMs;
    this.#onRecycled = onRecycled;
  }

  /** Calls an export by name. Rejects with a FilepressError, whatever was thrown. */
  async call(name, ...args) {
    clearTimeout(this.#timer);
    // A loop, because another call may have dropped the instance in the meantime.
    while (!this.#alive) await this.start();
    try {
      return this.#glue[name](...args);
    } catch (thrown) {
      const known = deserializeError(thrown);
      if (known) throw known;
      const trap = toFilepressError(thrown, this.#panic());
      this.#drop();
      this.#listeners.forEach((listener) => listener(trap));
      throw trap;
    } finally {
      this.#recycle();
    }
  }

  /**
   * As `call`, for exports that leave nothing in the instance: they are tried once more, in a fresh instance, after a trap that may pass.
   */
  async callStateless(name, ...args) {
    try {
      return await this.call(name, ...args);
    } catch (error) {
      if (!mayPass(error)) throw error;
      return this.call(name, ...args);
    }
  }

  /** Starts an instance if there is none. */
  async start() {
    if (this.#alive) return;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** The size of its memory in bytes. */
  held() {
    return this.#alive ? (this.#glue.memory_bytes?.() ?? 0) : 0;
  }

  /** The listener receives the error of a trap. */
  onTrap(listener) {
    this.#listeners.add(listener);
  }

  async #open() {
    try {
      if (this.#needsReset) this.#glue.__wbg_reset_state();
      this.#needsReset = false;
      await this.#start(this.#glue, this.module);
      this.#alive = this.hasRun = true;
    } catch (thrown) {
      throw toLoadError(this.build, thrown);
    }
  }

  /** Drops the instance. If that fails, `#open` tries again. */
  #drop() {
    this.#alive = false;
    this.#needsReset = true;
    try {
      this.#glue.__wbg_reset_state();
      this.#needsReset = false;
    } catch {}
  }

  #panic() {
    try {
      return this.#glue.last_panic();
    } catch {}
  }

  #recycle() {
    if (this.held() <= RECYCLE_ABOVE) return;
    if (this.#idleMs === 0) return this.#drop();
    // Calls that waited for the same instance reach this before the next one clears the timer.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#drop();
      this.#onRecycled?.();
    }, this.#idleMs);
    this.#timer.unref?.();
  }
}
