// What the caller handed over, as one shape: { size, type, name }, the latter two where they are
// known, and either `blob` or `bytes`.
// Kinds are told by tag, not by instanceof, so that objects of another realm (iframe, vm) are welcome.
import { readBody } from "./response-body.js";
import { FilepressError, InputError } from "./errors.js";
import { fileName, nameFromUrl } from "./file-name.js";
import { stringTag } from "./string-tag.js";
import { describeError, isOutOfMemory, toFilepressError } from "./error-conversion.js";

/** As many bytes as the planner needs to recognize a type. */
const HEAD = 64 * 1024;

/**
 * Reads what is known of an input. Buffers are copied before this returns; a Blob is not read yet. The body of a Response is read, up
 * to `limit` bytes and until `signal` aborts.
 */
export async function readInput(input, limit, signal) {
  try {
    return await read(input, limit, signal);
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** Anything may call itself a Blob, a Response or a buffer, and throw at a touch. */
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

/** The bytes of a Blob, all of them where no `end` is given. */
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
  // What only behaves as a Blob may not survive the way to a worker, and may keep the bytes that it gave.
  const bytes = copyBytes(await blob.slice(0).arrayBuffer());
  if (!bytes) throw new TypeError("its arrayBuffer() gives none");
  return { ...fromBytes(bytes), type, name };
}

/** The bytes of a Blob of whatever realm in one of this realm, whose size and methods are the platform's; undefined for others. */
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

/** A copy of a buffer or of what a view shows, in memory that is never shared with other threads; undefined for others. */
export function copyBytes(input) {
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength).slice();
  if (stringTag(input).endsWith("ArrayBuffer")) return new Uint8Array(input).slice();
}

function unreadable(cause) {
  if (cause instanceof FilepressError || isOutOfMemory(cause)) return toFilepressError(cause);
  return new InputError("unreadable_input", `The input cannot be read (${describeError(cause)}).`, { cause });
}
