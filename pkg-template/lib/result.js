// The result of a local call.
import { withExtension } from "./file-name.js";

/** Creates the result. `bytes` is undefined if the input's Blob is the result; `as` selects blob or stream. */
export function createResult(source, bytes, report, formats, as) {
  const { type } = report;
  const blob = bytes ? new Blob([bytes], { type }) : source.blob.slice(0, source.size, type);
  const { extensions } = formats.find((format) => format.type === type);
  const output =
    as === "stream" ? { stream: blob.stream() } : { blob, bytes: async () => new Uint8Array(await blob.arrayBuffer()) };
  return {
    ...report,
    ...output,
    name: withExtension(source.name, extensions, "image"),
    inputSize: source.size,
    outputSize: blob.size,
    engine: "local",
  };
}
