// Validates the arguments of a client's calls, and converts them for the engine.
import { copyBytes } from "../input.js";
import { checkCall, invalid } from "../options.js";
import { readMembers, readText } from "./client-options.js";

/** The options of a call. `further` are the names of those besides `signal`. */
export function readCall(options = {}, further = []) {
  const given = readMembers("options", options, ["signal", ...further]);
  checkCall(given);
  return given;
}

/** The options of calls that create something: { signal, key }. */
export function readCreate(options) {
  const { signal, idempotencyKey = createKey() } = readCall(options, ["idempotencyKey"]);
  if (typeof idempotencyKey !== "string" || !/^[!-~]{1,255}$/.test(idempotencyKey)) {
    throw invalid("idempotencyKey", "must be 1 to 255 characters of printable ASCII");
  }
  return { signal, key: idempotencyKey };
}

/** A random key. crypto.randomUUID only exists in secure contexts. */
export function createKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A reference to a file or task, given as an id or as the resource: { id, link }. */
export function refOf(value, link) {
  if (link !== "self" && value?.status !== undefined) throw invalid("id", "is that of a task; pass the id of its output");
  if (typeof value === "string") return { id: readId("id", value) };
  if (value && typeof value === "object" && typeof value.id === "string") {
    return { id: readId("id", value.id), link: readText(`links.${link}`, value.links?.[link]) };
  }
  throw invalid("id", "must be an id or a resource of the server");
}

/** A valid id. */
export function readId(name, id) {
  // Dots would change the path of the URL.
  if (typeof id === "string" && !/^\.*$/.test(id)) return id;
  throw invalid(name, "must be an id");
}

/** The body of an upload. A Blob is not copied. */
export function toBlob(bytes) {
  if (bytes instanceof Blob) return bytes;
  const copy = copyBytes(bytes);
  if (!copy) throw invalid("bytes", "must be a Blob, an ArrayBuffer or a view of one");
  return new Blob([copy]);
}

/** The payload of an upload to a signed URL. */
export function createPayload(body, report) {
  return { body, onProgress: report && ((loaded) => report("upload", loaded)) };
}
