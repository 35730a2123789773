// Converts inputs to a source: { size, type, name } with either `blob` or `bytes`; `type` and `name` are undefined if unknown.
// Classes are recognized by their string tag, not by instanceof, so that objects of other realms (iframe, vm) are accepted.
import { readBody } from "./response-body.js";
import { FilepressError, InputError } from "./errors.js";
import { fileName, nameFromUrl } from "./file-name.js";
import { stringTag } from "./string-tag.js";
import { describeError, isOutOfMemory, toFilepressError } from "./error-conversion.js";

/** The number of bytes that the planner needs to recognize a format. */
const HEAD = 64 * 1024;

/**
 * Resolves to the source of an input. Buffers are copied synchronously; a Blob is not read yet. The body of a Response is read, up to
 * `limit` bytes and until `signal` aborts.
 */
export async function readInput(input, limit, signal) {
  try {
    return await read(input, limit, signal);
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** A lookalike of a Blob, Response or buffer may throw on any access. */
async function read(input, limit, signal) {
  const bytes = copyBytes(input);
  if (bytes) return fromBytes(bytes);
  const tag = stringTag(input);
  if (tag === "Blob" || tag === "File") return fromBlob(input, fileName(input.name));
  if (tag === "Response") return fromResponse(input, limit, signal);
  throw new InputError("unreadable_input", "The input must be a Blob, ArrayBuffer, view of one or Response.");
}

/** The first 64 KiB. */
export async function readHead({ blob, bytes }) {
  return bytes ? bytes.subarray(0, HEAD) : readBlob(blob, HEAD);
}

/** The bytes of a Blob up to `end`; all of them by default. */
export async function readBlob(blob, end) {
  try {
    return new Uint8Array(await blob.slice(0, end).arrayBuffer());
  } catch (cause) {
    throw unreadable(cause);
  }
}

function fromBytes(bytes) {
  return { bytes, size: bytes.length };
}

async function fromBlob(blob, name) {
  const type = String(blob.type).split(";")[0].trim().toLowerCase() || undefined;
  const own = ownBlob(blob);
  if (own) return { blob: own, size: own.size, type, name };
  // A lookalike cannot be sent to a worker, and may keep a reference to its bytes.
  const bytes = copyBytes(await blob.slice(0).arrayBuffer());
  if (!bytes) throw new TypeError("its arrayBuffer() does not resolve to one");
  return { ...fromBytes(bytes), type, name };
}

/** Copies a Blob of any realm to one of this realm, without reading it; undefined if it is not a Blob. */
function ownBlob(blob) {
  try {
    return Blob.prototype.slice.call(blob);
  } catch {}
}

async function fromResponse(response, limit, signal) {
  if (!response.ok) {
    const hint = response.type === "opaque" ? "it is opaque; fetch with CORS" : `status ${response.status}`;
    throw new InputError("response_not_ok", `The response is not a success: ${hint}.`, {
      details: { status: response.status },
    });
  }
  if (response.bodyUsed || response.body?.locked) {
    throw new InputError("unreadable_input", "The response was read already; pass response.clone().");
  }
  return fromBlob(await readBody(response, limit, signal), nameFromUrl(response.url));
}

/** A copy of a buffer or view, in memory that is not shared with other threads; undefined for other values. */
export function copyBytes(input) {
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength).slice();
  if (stringTag(input).endsWith("ArrayBuffer")) return new Uint8Array(input).slice();
}

function unreadable(cause) {
  if (cause instanceof FilepressError || isOutOfMemory(cause)) return toFilepressError(cause);
  return new InputError("unreadable_input", `The input cannot be read (${describeError(cause)}).`, { cause });
}
