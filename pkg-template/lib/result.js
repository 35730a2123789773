// What a finished call hands back.
import { withExtension } from "./name.js";

/** The public result. `bytes` is undefined where the input's own Blob is the result. */
export function createResult(source, bytes, report, formats) {
  const { type } = report;
  const blob = bytes ? new Blob([bytes], { type }) : source.blob.slice(0, source.size, type);
  const { extensions } = formats.find((format) => format.type === type);
  return {
    ...report,
    blob,
    bytes: async () => new Uint8Array(await blob.arrayBuffer()),
    name: withExtension(source.name, extensions),
    inputSize: source.size,
    outputSize: blob.size,
    engine: "local",
  };
}
