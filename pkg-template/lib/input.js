// Converts inputs to a source: { size, type, name, lastModified } with either `blob` or `bytes`; what is unknown is undefined. Pixels,
// which have no format that could be kept, have a `defaultType`, and their `samples` begin at that byte.
// Classes are recognized by their string tag, not by instanceof, so that objects of other realms (iframe, vm) are accepted.
import { readBody } from "./response-body.js";
import { FilepressError, InputError } from "./errors.js";
import { fileName, nameFromUrl } from "./file-name.js";
import { readPixels } from "./pixels.js";
import { stringTag } from "./string-tag.js";
import { describeError, isOutOfMemory, toFilepressError } from "./error-conversion.js";
import { describeWrongInput } from "./wrong-input.js";

/** The number of bytes that the planner needs to recognize a format, as in wire/src/sniff/mod.rs. */
const SNIFF_BYTES = 64 * 1024;

/**
 * Resolves to the source of an input. Buffers are copied synchronously; a Blob is not read yet. Bodies and streams are read, up to
 * `limit` bytes and until `signal` aborts. `limits` are those of the call; `openFile` opens a `file:` URL where there are files.
 */
export async function readInput(input, context) {
  try {
    return await read(input, context);
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** A lookalike of a Blob, Response or buffer may throw on any access. */
async function read(input, context) {
  if (isDetached(input)) throw wrong(input);
  const bytes = copyBytes(input);
  if (bytes) return fromBytes(bytes);
  const tag = stringTag(input);
  // Blobs of DOM implementations in test runners are known by their members alone.
  if (tag === "Blob" || tag === "File" || hasMethods(input, "arrayBuffer", "slice")) return fromBlob(input, fileName(input.name));
  if (tag === "Response") return fromResponse(input, context);
  if (tag === "Request") return fromBody(input, context);
  if (tag === "ReadableStream" || hasMethods(input, "getReader")) return fromStream(input, context);
  if (hasMethods(input, "pipe", Symbol.asyncIterator)) return fromChunks(input, context);
  if (tag === "URL" && input.protocol === "file:" && context.openFile) {
    return fromBlob(await context.openFile(input), fileName(decodeURIComponent(input.pathname)));
  }
  const pixels = isObject(input) ? readPixels(input, context.limits) : undefined;
  if (pixels) return pixels;
  throw wrong(input);
}

const wrong = (input) => new InputError("unreadable_input", describeWrongInput(input));

const isObject = (value) => typeof value === "object" && value !== null;

const hasMethods = (value, ...names) => isObject(value) && names.every((name) => typeof value[name] === "function");

/** Whether the memory of a buffer or view went to another thread. */
function isDetached(input) {
  const buffer = ArrayBuffer.isView(input) ? input.buffer : input;
  if (stringTag(buffer) !== "ArrayBuffer" || buffer.byteLength > 0) return false;
  try {
    return new Uint8Array(buffer).length > 0;
  } catch {
    return true;
  }
}

/** What the planner gets. */
export async function readHead({ blob, bytes }) {
  return bytes ? bytes.subarray(0, SNIFF_BYTES) : readBlob(blob, SNIFF_BYTES);
}

/** All bytes of a source. */
export const readBytes = async ({ blob, bytes }) => bytes ?? readBlob(blob);

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
  const facts = { name, lastModified: Number.isFinite(blob.lastModified) ? blob.lastModified : undefined };
  const type = String(blob.type).split(";")[0].trim().toLowerCase() || undefined;
  const own = ownBlob(blob);
  if (own) return { blob: own, size: own.size, type, ...facts };
  // A lookalike cannot be sent to a worker, and may keep a reference to its bytes.
  const bytes = copyBytes(await blob.slice(0).arrayBuffer());
  if (!bytes) throw new TypeError("its arrayBuffer() does not resolve to one");
  return { ...fromBytes(bytes), type, ...facts };
}

/** Copies a Blob of any realm to one of this realm, without reading it; undefined if it is not a Blob. */
function ownBlob(blob) {
  try {
    return Blob.prototype.slice.call(blob);
  } catch {}
}

async function fromResponse(response, context) {
  if (!response.ok) {
    const hint = response.type === "opaque" ? "it is opaque; fetch with CORS" : `status ${response.status}`;
    throw new InputError("response_not_ok", `The response is not a success: ${hint}.`, {
      details: { status: response.status },
    });
  }
  return fromBody(response, context);
}

/** Of a Response or a Request. */
async function fromBody(message, { limit, signal }) {
  const what = stringTag(message).toLowerCase();
  if (message.bodyUsed || message.body?.locked) {
    throw new InputError("unreadable_input", `The ${what} was read already; pass ${what}.clone().`);
  }
  return fromBlob(await readBody(message, limit, signal), what === "response" ? nameFromUrl(message.url) : undefined);
}

async function fromStream(stream, { limit, signal }) {
  if (stream.locked) throw new InputError("unreadable_input", "The stream is locked by a reader; pass one that nobody reads.");
  return fromBlob(await readBody({ body: stream, headers: new Headers() }, limit, signal));
}

/** A stream of Node. */
async function fromChunks(stream, context) {
  const chunks = stream[Symbol.asyncIterator]();
  const pull = async (controller) => {
    const { done, value } = await chunks.next();
    if (done) return controller.close();
    controller.enqueue(ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value);
  };
  return fromStream(new ReadableStream({ pull, cancel: (reason) => void stream.destroy?.(reason instanceof Error ? reason : undefined) }), context);
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
