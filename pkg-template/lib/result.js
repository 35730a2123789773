// What a finished call hands back.
import { withExtension } from "./name.js";

/** The public result. `bytes` is undefined where the input's own Blob is the result. */
export function createResult(source, bytes, report, formats) {
  const { type, width, height, keptOriginal, warnings } = report;
  const blob = bytes ? new Blob([bytes], { type }) : source.blob.slice(0, source.size, type);
  const { extensions } = formats.find((format) => format.type === type);
  return {
    blob,
    bytes: async () => new Uint8Array(await blob.arrayBuffer()),
    type,
    name: withExtension(source.name, extensions),
    width,
    height,
    inputSize: source.size,
    outputSize: blob.size,
    engine: "local",
    keptOriginal,
    warnings,
  };
}
