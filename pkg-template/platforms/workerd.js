// What workerd (Cloudflare Workers) gives, which cannot compile wasm: wasm files are imported as modules. No Worker is started: jobs run
// on the calling thread (lib/calling-thread.js), and lib/engine.js starts a new instance after a trap.
import { createClient } from "../lib/client/client.js";
import { checkTarget, fetchWithRedirects } from "../lib/client/redirects.js";
import { createCallingThread } from "../lib/calling-thread.js";
import { createFacade } from "../lib/facade.js";
import { invalid } from "../lib/options.js";

/** The public functions. `parts` has the { glue, module } of each build, or a promise of them. */
export function createWorkerd(parts) {
  return createFacade({
    builds: Object.keys(parts),
    load: async (build) => (await parts[build]()).module,
    compile,
    glue: async (build) => (await parts[build]()).glue,
    // The core build is part of the script, and does what the photo build does.
    lacks: (build) => !(build in parts),
    // Synchronous: a promise must only be awaited by the request that created it.
    start: (glue, module) => void glue.initSync({ module }),
    createRunner: createCallingThread,
    jxl: () => import("../lib/jxl/reader.js"),
    advice: () => "The bundler must include the package's wasm files.",
  });
}

/** The class `Client`, apart from the other functions: a page that does not use it does not load it. */
export const createWorkerdClient = (facade) => createClient(() => facade.remote(), { inBrowser: () => false, upload, send: fetchWithRedirects });

async function compile(source) {
  const module = await source;
  if (module instanceof WebAssembly.Module) return module;
  throw invalid("wasm", "must be a WebAssembly.Module: a Worker cannot compile other sources");
}

/** Uploads a file. Redirects are not followed, so that the bytes only go to the signed URL. */
async function upload(request, payload, baseUrl) {
  checkTarget(baseUrl, request.url);
  return fetch(request, { redirect: "manual" });
}
