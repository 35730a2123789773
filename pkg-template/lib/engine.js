// One wasm instance in this thread, whichever thread that is. It heals itself: a trap leaves an instance unusable, and wasm
// memory never shrinks, so in both cases the next call meets a fresh instance of the same module.
import { fromPlain, toError, toLoadError } from "./thrown.js";

/** More memory than this, left over from a job, is given back. */
const RECYCLE_ABOVE = 64 * 1024 * 1024;

/** `start(glue, module)` puts an instance into the glue, at once or as a promise. */
export function createEngine(build, glue, module, start) {
  let alive = false;
  let opening;
  let spent = false;

  async function open() {
    try {
      if (spent) glue.__wbg_reset_state();
      spent = false;
      await start(glue, module);
      alive = true;
    } catch (thrown) {
      throw toLoadError(build, thrown);
    }
  }

  /** Lets go of the instance now, since its memory may be large; if that fails, `open` tries again. */
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

  /** Calls an export by name. Rejects with an error of ours, whatever was thrown. */
  async function call(name, ...args) {
    // A loop, since another call may have ended the instance while this one waited.
    while (!alive) {
      opening ??= open().finally(() => (opening = undefined));
      await opening;
    }
    try {
      return glue[name](...args);
    } catch (thrown) {
      const known = fromPlain(thrown);
      if (known) throw known;
      const trap = toError(thrown, panic());
      drop();
      throw trap;
    } finally {
      if (alive && glue.memory_bytes?.() > RECYCLE_ABOVE) drop();
    }
  }

  return { call };
}
