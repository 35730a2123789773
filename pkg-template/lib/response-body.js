// The body of a Response, of which no more is read than the limit of a call, and nothing once its signal aborts. Both end the
// download.
import { abortable } from "./abort.js";
import { LimitError } from "./errors.js";
import { stringTag } from "./string-tag.js";

/** What the planner allows on the device where the caller says nothing: `src/limits.rs`. */
const MAX_INPUT_BYTES = 2 ** 28;

/** So many bytes at a time become a Blob, which a browser may keep on the disk. */
const PART = 2 ** 23;

/** How many bytes a call may read. A service sets no limit of its own; what else than a number is said, the planner refuses. */
export function inputLimit({ settings, client, engine }) {
  const given = settings.limits?.maxInputBytes;
  if (Number.isSafeInteger(given) && given > 0) return given;
  return client && engine !== "local" ? Infinity : MAX_INPUT_BYTES;
}

/** The Blob of a Response that has `limit` bytes at most; `input_too_large` for more, with the bytes that are known of. */
export async function readBody(response, limit, signal) {
  const { body, headers } = response;
  // None, or that of a polyfill.
  if (typeof body?.getReader !== "function") return response.blob();
  const reader = body.getReader();
  try {
    const told = Number(headers.get("content-length"));
    if (told > limit) throw tooLarge(told, limit);
    const parts = await abortable(signal, collect(reader, limit));
    return new Blob(parts, { type: headers.get("content-type") ?? "" });
  } catch (thrown) {
    reader.cancel(thrown).catch(() => {});
    throw thrown;
  }
}

async function collect(reader, limit) {
  const parts = [];
  let chunks = [];
  for (let size = 0, kept = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return [...parts, ...chunks];
    if (stringTag(value) !== "Uint8Array") throw new TypeError("its body has chunks that are no bytes");
    size += value.length;
    if (size > limit) throw tooLarge(size, limit);
    chunks.push(value);
    if (size - kept < PART) continue;
    parts.push(new Blob(chunks));
    chunks = [];
    kept = size;
  }
}

/** In the planner's words. */
function tooLarge(actual, limit) {
  return new LimitError("input_too_large", `The input has ${actual} bytes; limits.maxInputBytes allows ${limit}.`, {
    details: { actual, limit },
  });
}
