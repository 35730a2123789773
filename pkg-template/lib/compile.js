// Compiles any source that `init` accepts to a WebAssembly.Module.
import { invalid } from "./options.js";
import { stringTag } from "./string-tag.js";

/** `open` loads an address (string or URL) and resolves to a Response or bytes. */
export async function compile(source, open) {
  const given = await source;
  const tag = stringTag(given);
  if (tag === "WebAssembly.Module") return given;
  if (tag === "Response") return compileResponse(given);
  if (tag === "ArrayBuffer" || ArrayBuffer.isView(given)) return WebAssembly.compile(given);
  if (tag === "String" || tag === "URL") return compile(open(given), open);
  throw invalid("wasm", "must be a WebAssembly.Module, URL, string, Response, ArrayBuffer or view");
}

async function compileResponse(response) {
  // Without the query, which may contain a signature.
  if (!response.ok) throw new Error(`status ${response.status} at ${response.url.split("?")[0]}`);
  const type = response.headers.get("content-type")?.trim().toLowerCase();
  // The servers of single-page applications answer with the page where there is no file.
  if (type?.startsWith("text/html")) throw new Error(`an HTML page at ${response.url.split("?")[0]}`);
  // compileStreaming requires this Content-Type, which many servers do not send.
  return type === "application/wasm" ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
