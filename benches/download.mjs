// The download size of a library for a case: its JavaScript, bundled and minified with everything that it may import
// later (some libraries import their codecs so), and its WebAssembly, each compressed by gzip -9.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const resolveDir = fileURLToPath(new URL(".", import.meta.url));
/** Modules of Node that scripts name and pages never reach. */
const external = ["module", "fs", "path", "url", "crypto", "worker_threads", "node:*", "*.wasm"];
const output = { bundle: true, minify: true, format: "esm", target: "es2022", platform: "browser" };
const settings = { ...output, write: false, logLevel: "error" };

/**
 * @param {{ scripts: (URL | string)[], wasm: URL[] }} loads a script as its file, or as the text of a module that imports what a
 * page needs of it, where that is less.
 * @returns {number} bytes.
 */
export function downloadSize({ scripts, wasm }) {
  const parts = [...scripts.map(bundled), ...wasm.map((file) => readFileSync(file))];
  return parts.reduce((total, part) => total + gzipSync(part, { level: 9 }).length, 0);
}

function bundled(script) {
  const source = script instanceof URL ? { entryPoints: [fileURLToPath(script)] } : { stdin: { contents: script, resolveDir } };
  return buildSync({ ...settings, external, ...source }).outputFiles[0].contents;
}
