// A Worker of a consumer project in a real workerd (miniflare), bundled by esbuild as wrangler bundles, with wasm
// files as compiled modules beside the script. Node compatibility is off.
import { basename } from "node:path";
import { readFile } from "node:fs/promises";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const COMPATIBILITY_DATE = "2025-09-01";

/** Bundles the script at `entry`: { modules: what miniflare takes, inputs: the files that went in }. */
export async function bundle(entry) {
  const wasm = new Map();
  const collect = {
    name: "compiled-wasm",
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, async ({ path, resolveDir }) => {
        const file = new URL(path, `file://${resolveDir}/`).pathname;
        const name = `./${wasm.size}-${basename(file)}`;
        // Taken at once: other files are resolved at the same time.
        wasm.set(name, undefined);
        wasm.set(name, await readFile(file));
        return { path: name, external: true };
      });
    },
  };
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    plugins: [collect],
    logLevel: "silent",
  });
  const script = { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text };
  const compiled = [...wasm].map(([path, contents]) => ({ type: "CompiledWasm", path, contents }));
  return { modules: [script, ...compiled], inputs: Object.keys(metafile.inputs) };
}

/** Starts workerd with `modules`, the first of which is the script; `options` are further ones of miniflare. */
export async function startWorker(modules, options = {}) {
  const miniflare = new Miniflare({ modules, compatibilityDate: COMPATIBILITY_DATE, ...options });
  const { origin } = await miniflare.ready;
  return {
    /** Where it listens. */
    url: origin,
    /** POSTs bytes; `headers` as an object. Resolves to the Worker's response. */
    post: (path, body, headers = {}) => miniflare.dispatchFetch(`http://worker${path}`, { method: "POST", body, headers }),
    close: () => miniflare.dispose(),
  };
}
