// Images of one upstream address, in the type that the browser prefers and at one of few widths, kept in the cache. What cannot be
// made smaller within the limits goes out as it came.
import { compress, inspect } from "filepress";
import { preferred } from "./accept.js";
import { readUpTo } from "./body.js";

/**
 * An isolate has 128 MB for all that it does at once. 8 MB of input (a request that waits holds no more), and at most 64 MB of
 * estimated memory for the pixels of the one call that runs, leave room for the engine and the results.
 */
const MAX_INPUT = 8_000_000;
const LIMITS = { maxInputBytes: MAX_INPUT, maxPixels: 30_000_000, maxMemoryBytes: 64_000_000 };

/** AVIF takes two to three times the processor time of WebP, which for this many pixels is half a second. */
const MAX_AVIF_PIXELS = 500_000;

const WIDTHS = [320, 640, 960, 1280, 1920];

/** A response to `GET /images/PATH?width=640`. */
export async function sendImage(request, env, context) {
  if (!["GET", "HEAD"].includes(request.method)) return refuse(405, { allow: "GET, HEAD" });
  const { pathname, searchParams } = new URL(request.url);
  const source = upstream(pathname.slice("/images/".length), env.IMAGES_URL);
  const width = Number(searchParams.get("width") ?? WIDTHS.at(-1));
  if (!source || !WIDTHS.includes(width)) return refuse(404);

  const type = preferred(request.headers.get("accept"), ["avif", "webp"]) ?? "original";
  const key = new Request(`${new URL(request.url).origin}${pathname}?width=${width}&type=${type}`);
  const cached = await caches.default.match(key);
  if (cached) return finish(request, cached);

  const response = await make(await load(source, Number(env.IMAGES_TIMEOUT)), type, width);
  if (/^public\b/.test(response.headers.get("cache-control"))) context.waitUntil(caches.default.put(key, response.clone()));
  return finish(request, response);
}

/** The address of a path below the allowed one; undefined where it leads out of it, also at a server that decodes it first. */
function upstream(path, base) {
  if (/%(2f|5c|00|25)/i.test(path)) return undefined;
  try {
    const url = new URL(path, base);
    return url.href.startsWith(new URL(base).href) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** `{ response }` of the upstream with its `bytes`, or with its `body` where they are too many; `{ status }` where it has no image. */
async function load(source, timeout) {
  const late = new AbortController();
  // Of the bytes that are counted here. A body that is passed on takes as long as the visitor's connection does.
  const timer = setTimeout(() => late.abort(), timeout);
  try {
    const response = await fetch(source, { headers: { accept: "image/*" }, redirect: "manual", signal: late.signal });
    const isImage = response.ok && /^image\//.test(response.headers.get("content-type") ?? "");
    if (isImage) return { response, ...(await readUpTo(response, MAX_INPUT)) };
    response.body?.cancel().catch(() => {});
    return { status: response.status === 404 ? 404 : 502 };
  } catch {
    return { status: 502 };
  } finally {
    clearTimeout(timer);
  }
}

async function make({ status, response, bytes, body }, type, width) {
  if (status) return refuse(status);
  if (body) return image(body, response);
  const result = await recompress(bytes, type, width).catch(() => undefined);
  if (!result || result.outputSize >= bytes.length) return image(bytes, response, await tag(bytes));
  const made = await result.bytes();
  return image(made, response, await tag(made), result.type);
}

/** Compresses or converts an image. Rejects if the package refuses it: not an image, damaged, or over a limit. */
async function recompress(bytes, type, width) {
  const facts = await inspect(bytes, { limits: LIMITS });
  const scale = Math.min(1, width / facts.width);
  const pixels = facts.width * facts.height * scale * scale;
  // SVGs stay SVGs, and animations are returned unchanged: frame by frame they would take too long.
  if (facts.type === "image/svg+xml" || facts.frames > 1) return undefined;
  const to = type === "avif" && pixels > MAX_AVIF_PIXELS ? "webp" : type;
  const options = { resize: { maxWidth: width }, limits: LIMITS };
  if (to === "original") return compress(bytes, options);
  return compress(bytes, { ...options, to, ...(to === "avif" && { effort: 0 }) });
}

function image(body, response, etag, type = response.headers.get("content-type")) {
  const upstreams = response.headers.get("cache-control") ?? "";
  const shared = /private|no-store|no-cache/.test(upstreams) ? "private, no-store" : `public, max-age=${/max-age=(\d+)/.exec(upstreams)?.[1] ?? 86_400}`;
  const headers = { "content-type": type, "cache-control": shared, vary: "accept", "x-content-type-options": "nosniff" };
  // An SVG opened on its own must not be a page of this origin.
  headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  if (etag) headers.etag = etag;
  return new Response(body, { headers });
}

/** Of the bytes, so that it changes when they do: with the picture, the type, or a new version of the package. */
async function tag(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `"${[...digest.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

/** 304 where the browser has it, and no body for HEAD. */
function finish(request, response) {
  const etag = response.headers.get("etag");
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((text) => text.trim().replace(/^W\//, ""));
  if (etag && (known.includes(etag) || known.includes("*"))) return new Response(null, { status: 304, headers: response.headers });
  if (request.method !== "HEAD") return response;
  response.body?.cancel().catch(() => {});
  return new Response(null, response);
}

function refuse(status, headers = {}) {
  return new Response(null, { status, headers: { ...headers, "cache-control": "no-store" } });
}
