// What a finished call hands back.
import { withExtension } from "./file-name.js";

/** The public result. `bytes` is undefined where the input's own Blob is the result; `as` says what holds the output. */
export function createResult(source, bytes, report, formats, as) {
  const { type } = report;
  const blob = bytes ? new Blob([bytes], { type }) : source.blob.slice(0, source.size, type);
  const { extensions } = formats.find((format) => format.type === type);
  const holder =
    as === "stream" ? { stream: blob.stream() } : { blob, bytes: async () => new Uint8Array(await blob.arrayBuffer()) };
  return {
    ...report,
    ...holder,
    name: withExtension(source.name, extensions, "image"),
    inputSize: source.size,
    outputSize: blob.size,
    engine: "local",
  };
}
