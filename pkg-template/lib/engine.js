// One wasm instance in this thread, whichever thread that is. It heals itself: a trap leaves an instance unusable, and wasm
// memory never shrinks, so in both cases the next call meets a fresh instance of the same module.
import { deserializeError, toFilepressError, toLoadError } from "./error-conversion.js";

/** More memory than this, left over from a job, is given back. */
const RECYCLE_ABOVE = 64 * 1024 * 1024;

/**
 * { build, module, call(name, …), held(), hasRun(), onTrap(listener) }: the bytes of its memory; whether there was an instance; a
 * listener hears of the error with which one ended.
 *
 * `start(glue, module)` puts an instance into the glue, at once or as a promise. Large memory is given back when no call came
 * for `patience` milliseconds: a batch of photos goes through one instance, whose memory the system need not clear each time.
 * `onRecycled` is called then.
 */
export function createEngine(build, glue, module, start, patience = 0, onRecycled) {
  let alive = false;
  let timer;
  let opening;
  let spent = false;
  let ran = false;
  const listeners = new Set();

  async function open() {
    try {
      if (spent) glue.__wbg_reset_state();
      spent = false;
      await start(glue, module);
      alive = true;
      ran = true;
    } catch (thrown) {
      throw toLoadError(build, thrown);
    }
  }

  /** Lets go of the instance, since its memory may be large; if that fails, `open` tries again. */
  function drop() {
    alive = false;
    spent = true;
    try {
      glue.__wbg_reset_state();
      spent = false;
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
    if (patience === 0) return drop();
    // Of calls that waited for one opening, each comes by here before the next has stopped it.
    clearTimeout(timer);
    timer = setTimeout(() => {
      drop();
      onRecycled?.();
    }, patience);
    timer.unref?.();
  }

  /** Calls an export by name. Rejects with an error of ours, whatever was thrown. */
  async function call(name, ...args) {
    clearTimeout(timer);
    // A loop, since another call may have ended the instance while this one waited.
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
