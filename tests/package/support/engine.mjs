// A build of an installed package on the calling thread, without the JavaScript around it, for measurements and very
// frequent calls.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The glue's exports, with an instance in it; `restart()` puts a fresh one there. */
export async function openEngine(installed, build) {
  const folder = join(installed, "wasm", build);
  const glue = await import(pathToFileURL(join(folder, "filepress.js")));
  const module = new WebAssembly.Module(readFileSync(join(folder, "filepress_bg.wasm")));
  glue.initSync({ module });
  const restart = () => {
    glue.__wbg_reset_state();
    glue.initSync({ module });
  };
  return { ...glue, restart };
}
