// The result of a local call.
import { withExtension } from "./file-name.js";

/**
 * Creates the result. `bytes` is undefined if the input's Blob is the result; `as` selects blob or stream, `name` the file's name.
 * `settings` are those of the call.
 */
export function createResult(source, bytes, report, formats, { as, name: wanted, settings }) {
  const { type } = report;
  const blob = bytes ? new Blob([bytes], { type }) : source.blob.slice(0, source.size, type);
  const { extensions } = formats.find((format) => format.type === type);
  const name = withExtension(wanted ?? source.name, extensions, "image");
  const output =
    as === "stream" ? { stream: blob.stream() } : { blob, file: toFile(blob, name, source), bytes: async () => new Uint8Array(await blob.arrayBuffer()) };
  return {
    ...report,
    ...(source.original && ofOriginal(source.original, report, settings)),
    ...output,
    name,
    inputSize: (source.original ?? source).size,
    outputSize: blob.size,
    engine: "local",
  };
}

/** What a report says of the file that a decoder read; the engine knows only what the decoder made of it. */
function ofOriginal({ type, build }, { warnings }, { metadata }) {
  const dropped = { code: "metadata_dropped", message: `A decoder read ${type}. It hands on pixels without metadata.` };
  return { inputType: type, keptOriginal: false, warnings: metadata === "keep" && !build ? [...warnings, dropped] : warnings };
}

/** The File of a result. It has the time of the input, if that has one. */
export function toFile(blob, name, { lastModified = Date.now() }) {
  return new File([blob], name, { type: blob.type, lastModified });
}
