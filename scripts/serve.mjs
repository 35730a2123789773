// Serves the demo page and the built package on this machine: a file server for `make demo` and the browser tests.
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));

/** The first prefix that matches wins. */
const folders = [
  ["/filepress/", join(project, "dist", "package")],
  ["/", join(project, "www")],
];

const mediaTypes = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
};

/**
 * Starts the server.
 * @param {{ port?: number, host?: string }} [options] port 0, the default, takes a free one; host is 127.0.0.1 unless given.
 * @returns {Promise<{ url: string, close(): Promise<void> }>} url ends with a slash; close() ends open connections too.
 */
export async function serve({ port = 0, host = "127.0.0.1" } = {}) {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => refuse(response, 500));
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405, { allow: "GET, HEAD" });
  const file = await locate(request.url);
  if (!file) return refuse(response, 404);
  response.writeHead(200, {
    "content-type": mediaTypes[extname(file.path)] ?? "application/octet-stream",
    "content-length": file.size,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  if (request.method === "HEAD") return response.end();
  createReadStream(file.path)
    .on("error", () => response.destroy())
    .pipe(response);
}

/** The file behind a request target, or undefined: what is not there, and what lies outside the folder served. */
async function locate(target) {
  try {
    // Split by hand: `new URL` would fold `..` away before it could be refused.
    const path = decodeURIComponent(target.split(/[?#]/, 1)[0]);
    if (path.includes("\0") || path.split(/[/\\]/).includes("..")) return undefined;
    const [prefix, folder] = folders.find(([prefix]) => path.startsWith(prefix)) ?? [];
    if (!folder) return undefined;
    const root = await realpath(folder);
    const rest = path.slice(prefix.length);
    const found = await realpath(join(root, rest === "" ? "index.html" : rest));
    if (!found.startsWith(root + sep)) return undefined;
    const entry = await stat(found);
    return entry.isFile() ? { path: found, size: entry.size } : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response, status, headers = {}) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers });
  response.end(`${status}\n`);
}
