// Reads the body of a Response up to the limit of a call. Exceeding the limit and aborting both cancel the download.
import { abortable } from "./abort.js";
import { LimitError } from "./errors.js";
import { stringTag } from "./string-tag.js";

/** The default of `limits.maxInputBytes` on the device, as in `src/limits.rs`. */
const MAX_INPUT_BYTES = 2 ** 28;

/** Chunks are combined to Blobs of this size, which a browser may keep on disk. */
const PART_SIZE = 2 ** 23;

/** The maximum number of bytes that a call reads. Invalid limits are left to the planner, which refuses them. */
export function inputLimit({ settings, client, engine }) {
  const given = settings.limits?.maxInputBytes;
  if (Number.isSafeInteger(given) && given > 0) return given;
  return client && engine !== "local" ? Infinity : MAX_INPUT_BYTES;
}

/** Resolves to the body as a Blob. Rejects with `input_too_large` if it has more than `limit` bytes. */
export async function readBody(response, limit, signal) {
  const { body, headers } = response;
  // No body, or that of a polyfill.
  if (typeof body?.getReader !== "function") return response.blob();
  const reader = body.getReader();
  try {
    const declared = Number(headers.get("content-length"));
    if (declared > limit) throw tooLarge(declared, limit);
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
  for (let size = 0, combined = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return [...parts, ...chunks];
    if (stringTag(value) !== "Uint8Array") throw new TypeError("its body has chunks that are not bytes");
    size += value.length;
    if (size > limit) throw tooLarge(size, limit);
    chunks.push(value);
    if (size - combined < PART_SIZE) continue;
    parts.push(new Blob(chunks));
    chunks = [];
    combined = size;
  }
}

/** The same error as the planner's. */
export function tooLarge(actual, limit) {
  return new LimitError("input_too_large", `The input has ${actual} bytes; limits.maxInputBytes allows ${limit}.`, {
    details: { actual, limit },
  });
}
