// The image server as a function from a Request to a Response: reads the URL, processes the image once, and responds from memory after that.
import { sha256 } from "./cache-key.js";
import { readImageRequest } from "./image-request.js";
import { readSettings } from "./image-settings.js";
import { readSource } from "./image-source.js";
import { createMemory, createWork } from "./image-store.js";
import { createReport, fail, refuse, toRefusal, toResponse } from "./refusal.js";

/** `coalesce`: whether requests may wait for the same promise. */
export function createHandler(options, { coalesce }) {
  const settings = readSettings(options);
  const memory = createMemory(settings.cacheBytes);
  const run = createWork({ coalesce, most: settings.maxPending, timeout: settings.timeout });
  const report = createReport(settings.onError);

  async function answer(request, url) {
    if (!["GET", "HEAD"].includes(request.method)) throw refuse(405, "method_not_allowed", "Use GET.");
    const { path, format, asked, options } = await readImageRequest(url, settings);
    const to = chooseFormat(format, request.headers.get("accept") ?? "", settings.auto);
    const call = { ...options, ...(to && { to }) };
    // Without the defaults, which all images share: an overlay among them can have megabytes.
    const key = JSON.stringify([readCacheKey(settings.cacheKey, request), path, asked, to]);
    const known = memory.get(key);
    const isFresh = known && Date.now() - known.checked < settings.freshFor;
    const entry = isFresh ? known : await run(key, request.signal, (signal) => make({ key, path, call, request, known, signal }));
    return respond(request, entry, format === "auto");
  }

  /** Makes the image, unless its source is the one that `known` was made of. */
  async function make({ key, path, call, request, known, signal }) {
    const { limits, source, compress } = settings;
    const encodedPath = path.split("/").map(encodeURIComponent).join("/");
    const input = await readSource(() => source(path, { encodedPath, request, signal }), limits.maxInputBytes, signal);
    const sourceHash = await sha256(input);
    const entry = known?.sourceHash === sourceHash ? known : { sourceHash, ...(await encode(compress, input, { ...call, limits, signal })) };
    memory.set(key, { ...entry, checked: Date.now() });
    return entry;
  }

  function respond(request, { bytes, type, etag }, negotiated) {
    const vary = [negotiated && "accept", settings.vary].filter(Boolean).join(", ");
    const headers = { "content-type": type, etag, "cache-control": settings.cacheControl, ...GUARDS, ...(vary && { vary }) };
    if (isListed(request.headers.get("if-none-match") ?? "", etag)) return new Response(null, { status: 304, headers });
    return new Response(request.method === "HEAD" ? null : bytes, { headers: { ...headers, "content-length": `${bytes.length}` } });
  }

  return async function handle(request) {
    const url = new URL(request.url);
    if (!url.pathname.startsWith(settings.prefix)) return undefined;
    try {
      return await answer(request, url);
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      report(refusal, request);
      return toResponse(refusal);
    }
  };
}

/** What tells visitors apart who may get different images at the same path; undefined if there are none. */
function readCacheKey(cacheKey, request) {
  if (!cacheKey) return undefined;
  let key;
  try {
    key = cacheKey(request);
  } catch (thrown) {
    throw fail(thrown);
  }
  if (typeof key !== "string") throw fail(new TypeError("cacheKey must return a string"));
  return key;
}

/** An SVG that is opened by itself runs no scripts. */
const GUARDS = { "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

/** Rejects with the same refusal for all who wait. */
async function encode(compress, input, options) {
  try {
    const result = await compress(input, options);
    const bytes = await result.bytes();
    return { bytes, type: result.type, etag: `"${(await sha256(bytes)).slice(0, 32)}"` };
  } catch (thrown) {
    throw toRefusal(thrown);
  }
}

/** The format in `to`, or undefined for that of the source. */
function chooseFormat(format, accept, auto) {
  if (format === "original") return undefined;
  if (format !== "auto") return format;
  // `*/*` is no wish for a modern format: every browser sends it.
  const accepted = readAccept(accept);
  return auto.find((type) => accepted.has(type));
}

/** The media types that the header names, without those of weight 0. */
function readAccept(header) {
  const items = header.toLowerCase().split(",").map((item) => item.split(";").map((part) => part.trim()));
  return new Set(items.filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))).map(([type]) => type));
}

const isListed = (header, etag) => header.split(",").some((item) => [etag, `W/${etag}`, "*"].includes(item.trim()));
