// Reads what the `source` of an image server returns. Its errors are the operator's: they may hold tokens and paths, and never become public.
import { LimitError } from "../lib/errors.js";
import { readBody } from "../lib/response-body.js";
import { stringTag } from "../lib/string-tag.js";
import { refuse, Refusal } from "./refusal.js";

/** What `new Response` makes bytes of, apart from views. From others it would make text. */
const BYTES = ["Blob", "File", "ArrayBuffer"];

/** Resolves to the bytes of what `open()` returns. Rejects with a refusal, or with the reason of `signal`. */
export async function readSource(open, limit, signal) {
  let opened = false;
  try {
    const found = await open();
    opened = true;
    if (found === undefined || found === null) throw gone();
    const response = toResponse(found);
    if (response.ok) return new Uint8Array(await (await readBody(response, limit, signal)).arrayBuffer());
    // A body that nobody reads keeps its connection.
    response.body?.cancel?.()?.catch?.(() => {});
    throw response.status === 404 ? gone() : new Error(`The source responded with ${response.status}.`);
  } catch (thrown) {
    if (opened && (thrown instanceof Refusal || thrown instanceof LimitError)) throw thrown;
    // Not a failure of the source: it was told to stop.
    if (signal.aborted) throw signal.reason;
    throw refuse(502, "source_failed", "The source of the image failed.", { cause: thrown });
  }
}

const gone = () => refuse(404, "not_found", "No such image.");

function toResponse(found) {
  if (stringTag(found) === "Response") return found;
  if (!ArrayBuffer.isView(found) && !BYTES.includes(stringTag(found))) throw new TypeError("source must return a Response, a Blob, bytes or undefined");
  return new Response(found);
}
