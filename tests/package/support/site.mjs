// An HTTP server for test pages: the files of one folder, with a Content-Security-Policy on every response.
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { listen } from "./listen.mjs";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** Nothing from elsewhere, nothing inline, no eval; WebAssembly alone may be compiled. */
export const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self' blob: data:";

/**
 * Serves `folder`, or for a path in `made` (a Map of "/path" to bytes) what stands there. `headers` are sent as well.
 * `requests` lists the path of every request.
 */
export async function openSite(folder, { policy = STRICT, made = new Map(), headers = {} } = {}) {
  const requests = [];
  const { url, close } = await listen(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://site").pathname);
    requests.push(path);
    try {
      const body = made.get(path) ?? (await readFile(join(folder, normalize(path))));
      const type = types[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": policy, ...headers }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return { url, requests, close };
}
