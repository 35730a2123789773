// A wasm instance in the current thread. It is replaced by a new instance of the same module after a trap, which leaves an instance
// unusable, and after large jobs, because wasm memory never shrinks.
import { deserializeError, toFilepressError, toLoadError } from "./error-conversion.js";

/** An instance with more memory than this in bytes is dropped after a job. */
const RECYCLE_ABOVE = 64 * 1024 * 1024;

/**
 * Returns { build, module, call(name, …), held(), hasRun(), onTrap(listener) }: `held()` is the size of its memory in bytes, `hasRun()`
 * whether there was an instance, and a listener of `onTrap` receives the error of a trap.
 *
 * `start(glue, module)` creates an instance inside the glue, synchronously or as a promise. A large instance is dropped when no call
 * came for `idleMs` milliseconds, so that a batch of photos reuses one instance; then `onRecycled` is called.
 */
export function createEngine(build, glue, module, start, idleMs = 0, onRecycled) {
  let alive = false;
  let timer;
  let opening;
  let needsReset = false;
  let ran = false;
  const listeners = new Set();

  async function open() {
    try {
      if (needsReset) glue.__wbg_reset_state();
      needsReset = false;
      await start(glue, module);
      alive = true;
      ran = true;
    } catch (thrown) {
      throw toLoadError(build, thrown);
    }
  }

  /** Drops the instance. If that fails, `open` tries again. */
  function drop() {
    alive = false;
    needsReset = true;
    try {
      glue.__wbg_reset_state();
      needsReset = false;
    } catch {}
  }

  function panic() {
    try {
      return glue.last_panic();
    } catch {
      return undefined;
    }
  }

  const held = () => (alive ? (glue.memory_bytes?.() ?? 0) : 0);

  function recycle() {
    if (held() <= RECYCLE_ABOVE) return;
    if (idleMs === 0) return drop();
    // Calls that waited for the same instance reach this before the next one clears the timer.
    clearTimeout(timer);
    timer = setTimeout(() => {
      drop();
      onRecycled?.();
    }, idleMs);
    timer.unref?.();
  }

  /** Calls an export by name. Rejects with a FilepressError, whatever was thrown. */
  async function call(name, ...args) {
    clearTimeout(timer);
    // A loop, because another call may have dropped the instance in the meantime.
    while (!alive) {
      opening ??= open().finally(() => (opening = undefined));
      await opening;
    }
    try {
      return glue[name](...args);
    } catch (thrown) {
      const known = deserializeError(thrown);
      if (known) throw known;
      const trap = toFilepressError(thrown, panic());
      drop();
      listeners.forEach((listener) => listener(trap));
      throw trap;
    } finally {
      recycle();
    }
  }

  return { build, module, call, held, hasRun: () => ran, onTrap: (listener) => void listeners.add(listener) };
}
