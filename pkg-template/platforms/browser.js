// What browsers give: wasm by `fetch`, a pool of module workers, and the calling thread if there are none, as in service workers.
// `spawn` starts a Worker; lib/pool.js decides when, and what follows when one dies. lib/engine.js starts a new instance after a trap.
import { createClient } from "../lib/client/client.js";
import { upload } from "../lib/client/upload.js";
import { compile } from "../lib/compile.js";
import { describeError } from "../lib/error-conversion.js";
import { InternalError } from "../lib/errors.js";
import { createFacade } from "../lib/facade.js";
import { createRunner } from "../lib/runner.js";
import { folderBehind } from "../lib/vite.js";

export * from "../lib/errors.js";
export { pictureSources } from "../lib/picture-sources.js";
export { createPlaceholder } from "../lib/placeholder.js";
export { createVariants } from "../lib/variants.js";

/**
 * The public functions. `script` is the entry's address; by build, `glues` imports the glue for the calling thread, `addresses`
 * has the URL of the wasm file, and `scripts` starts a worker.
 */
export function createBrowser({ script, glues, addresses, scripts }) {
  /** Where Vite pre-bundles the package, its own folder. */
  const ownFolder = () => folderBehind(script);

  const advice = () =>
    ownFolder()
      ? 'In Vite, set optimizeDeps: { exclude: ["filepress"] }.'
      : "Serve the package's worker scripts and wasm files from the page's origin, and name their folder by init({ workers }) if a " +
        "bundler does not copy them. A Content-Security-Policy needs worker-src 'self' and connect-src 'self'.";

  const load = async (build, folder = ownFolder()) =>
    compile(folder ? new URL(`wasm/${build}/filepress_bg.wasm`, folder) : addresses[build](), fetch);

  function spawn(build, folder = ownFolder(), { onMessage, onDeath }) {
    const worker = folder ? new Worker(trusted(new URL(`worker-${build}.js`, folder).href), { type: "module" }) : scripts[build]();
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onmessageerror = () => onDeath("its message could not be read");
    worker.onerror = (event) => onDeath(event.error ?? event.message ?? "its script could not be loaded");
    return worker;
  }

  function pool() {
    const { hardwareConcurrency, deviceMemory, maxTouchPoints } = globalThis.navigator ?? {};
    const limit = Math.min(hardwareConcurrency || 2, 8);
    // A quarter of the device's memory, in GiB. Firefox and Safari do not report it: what is touched is taken for a phone.
    const memory = ((deviceMemory || (maxTouchPoints > 0 ? 2 : 4)) * 2 ** 30) / 4;
    return { limit, memory, spawn, takesBlobs: true };
  }

  return createFacade({
    builds: Object.keys(glues),
    load,
    compile: (source) => compile(source, fetch),
    glue: (build) => glues[build](),
    // Without workers, the core build comes with the entry, and does what the photo build does.
    lacks: (build) => !(build in glues) || (build === "photo" && !hasWorkers()),
    start: (glue, module) => glue.default({ module_or_path: module }),
    createRunner: (builds, settings) => createRunner(builds, settings, { hasWorkers, pool, advice }),
    decodePicture,
    jxl: () => import("../lib/jxl/reader.js"),
    resolveFolder: (address) => new URL(address, globalThis.document?.baseURI ?? location.href),
    advice,
  });
}

/** The class `Client`, apart from the other functions: a page that does not use it does not load it. */
export const createBrowserClient = (facade) => createClient(() => facade.remote(), { inBrowser, upload, send: (request) => fetch(request) });

/** Images of types that filepress does not read: by the browser's own decoders of images, and of HEIC by that of video, if it has one. */
async function decodePicture(file, options) {
  try {
    // WebKit recognizes JPEG XL by its bytes alone.
    return await createImageBitmap(file).catch(() => createImageBitmap(file.slice()));
  } catch (refused) {
    if (!/heic|heif/.test(file.type) || typeof VideoDecoder !== "function") throw refused;
    const { decodeHeic } = await import("../lib/heif/decoder.js").catch((thrown) => {
      throw new InternalError("engine_load", `The decoder of HEIC could not be loaded (${describeError(thrown)}).`, { cause: thrown });
    });
    return decodeHeic(file, options);
  }
}

let policy;

/** An address of a script as pages with Trusted Types take it, if they allow the policy `filepress`. */
function trusted(address) {
  try {
    policy ??= globalThis.trustedTypes?.createPolicy("filepress", { createScriptURL: (url) => url });
  } catch {
    // The page does not allow it. Where it demands trusted addresses, no worker can be started.
  }
  return policy?.createScriptURL(address) ?? address;
}

const hasWorkers = () => typeof Worker === "function";

/** Whether this is a page or its worker, whose code every visitor can read. */
const inBrowser = () => typeof document === "object" || typeof WorkerGlobalScope === "function";
