// Serves the built site as a static host would: with validators, gzip, and the page's Content-Security-Policy on
// every response, including worker scripts. Used by `make demo`, the browser tests and `make bench-page`.
import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { siteFolder } from "./site.mjs";

const pack = promisify(gzip);

const mediaTypes = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** What gains nothing by gzip. */
const packed = new Set([".png"]);

/**
 * Starts the server.
 * @param {{ folder?: string, port?: number, host?: string }} [options] folder is dist/site unless given; port 0, the default,
 *   takes a free one; host is 127.0.0.1 unless given.
 * @returns {Promise<{ url: string, sent: Map<string, number>, close(): Promise<void> }>} url ends with a slash; `sent` counts the
 *   bytes of bodies, gzipped, by path; close() ends open connections too.
 */
export async function serve({ folder = siteFolder, port = 0, host = "127.0.0.1" } = {}) {
  const sent = new Map();
  const policy = await policyOf(folder);
  const server = createServer((request, response) => {
    answer(request, response).catch(() => refuse(response, 500));
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });

  async function answer(request, response) {
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405, { allow: "GET, HEAD" });
    const path = await locate(folder, request.url);
    if (!path) return refuse(response, 404);
    const body = await readFile(path);
    const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
    const headers = {
      etag: tag,
      "cache-control": "no-cache",
      vary: "accept-encoding",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
    };
    if (request.headers["if-none-match"]?.includes(tag)) return response.writeHead(304, headers).end();
    const smaller = !packed.has(extname(path)) && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    const bytes = smaller ? await pack(body, { level: 9 }) : body;
    const type = mediaTypes[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, {
      ...headers,
      "content-type": type,
      "content-length": bytes.length,
      ...(smaller && { "content-encoding": "gzip" }),
    });
    const name = path.slice(folder.length + 1);
    if (request.method === "GET") sent.set(name, (sent.get(name) ?? 0) + bytes.length);
    response.end(request.method === "GET" ? bytes : undefined);
  }

  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${server.address().port}/`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The page's own policy, and the one line that is only heard in a header. */
async function policyOf(folder) {
  const page = await readFile(join(folder, "index.html"), "utf8");
  const [, policy] = /http-equiv="content-security-policy" content="([^"]+)"/.exec(page) ?? [];
  if (!policy) throw new Error("index.html has no Content-Security-Policy");
  return `${policy}; frame-ancestors 'none'`;
}

/** The file behind a request target, or undefined: what is not there, and what lies outside the folder served. */
async function locate(folder, target) {
  try {
    // Split by hand: `new URL` would fold `..` away before it could be refused.
    const path = decodeURIComponent(target.split(/[?#]/, 1)[0]);
    if (path.includes("\0") || path.split(/[/\\]/).includes("..")) return undefined;
    const root = await realpath(folder);
    const found = await realpath(join(root, path.endsWith("/") ? `${path}index.html` : path));
    return found.startsWith(root + sep) && (await stat(found)).isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response, status, headers = {}) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers });
  response.end(`${status}\n`);
}
