// What a caller hands to the calls of a client, looked at and made into what the engine takes.
import { copyBytes } from "../input.js";
import { checkCall, invalid } from "../options.js";
import { readMembers, readText } from "./settings.js";

/** The options of a call; `further` are those that it has beside `signal`. */
export function readCall(options = {}, further = []) {
  const given = readMembers("options", options, ["signal", ...further]);
  checkCall(given);
  return given;
}

/** The options of what creates something: { signal, key }. */
export function readCreate(options) {
  const { signal, idempotencyKey = createKey() } = readCall(options, ["idempotencyKey"]);
  if (typeof idempotencyKey !== "string" || !/^[!-~]{1,255}$/.test(idempotencyKey)) {
    throw invalid("idempotencyKey", "must be 1 to 255 characters of visible ASCII");
  }
  return { signal, key: idempotencyKey };
}

/** A random name: crypto.randomUUID is for secure contexts alone. */
export function createKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A file or a task by its id, or by itself, with the link that is wanted of it. */
export function refOf(value, link) {
  if (link !== "self" && value?.status !== undefined) throw invalid("id", "is a task's; give the id of its output");
  if (typeof value === "string") return { id: readId("id", value) };
  if (value && typeof value === "object" && typeof value.id === "string") {
    return { id: readId("id", value.id), link: readText(`links.${link}`, value.links?.[link]) };
  }
  throw invalid("id", "must be an id, or a resource that the service sent");
}

/** An id that leads to a resource and nowhere else. */
export function readId(name, id) {
  // Dots alone would lead to another path.
  if (typeof id === "string" && id !== "" && !/^\.+$/.test(id)) return id;
  throw invalid(name, "must be an id");
}

/** The bytes of an upload; those of a Blob stay where they are. */
export function toBlob(bytes) {
  if (bytes instanceof Blob) return bytes;
  const copy = copyBytes(bytes);
  if (!copy) throw invalid("bytes", "must be a Blob, an ArrayBuffer or a view of one");
  return new Blob([copy]);
}

/** What is sent to a signed URL. */
export function createPayload(body, report) {
  return { body, onProgress: report && ((loaded) => report("upload", loaded)) };
}
