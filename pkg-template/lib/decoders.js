// Images of types that filepress recognizes but does not read, such as HEIC: a decoder, which `init` was given or which the platform has,
// makes pixels of them, or a file of another type.
import { abortable } from "./abort.js";
import { describeError } from "./error-conversion.js";
import { FilepressError, InputError } from "./errors.js";
import { checkPixels } from "./pixels.js";

/** What pixels become where no output type is asked for. JPEG has no transparency. */
const OPAQUE = "image/jpeg";
const TRANSPARENT = "image/webp";

/**
 * Resolves to the source that a decoder makes of `source`. `refusal` is the planner's error, which names the type. `own` are the decoders
 * of `init` by type, and `platform` is that of the platform, if it has one; `open` reads what a decoder returns.
 */
export async function decodeSource(source, refusal, { own, platform, open, signal, limits }) {
  const { type } = refusal.details;
  const made = await abortable(signal, decode(source, refusal, { own: own[type], platform, signal, limits }));
  try {
    const decoded = await open(made);
    const defaultType = decoded.defaultType && (isOpaque(decoded) ? OPAQUE : TRANSPARENT);
    return { ...decoded, defaultType, name: source.name, lastModified: source.lastModified, original: { type, size: source.size } };
  } finally {
    // Memory of an ImageBitmap or VideoFrame, which nobody else has.
    if (typeof made?.close === "function") made.close();
  }
}

/** Resolves to what the decoder returns. */
async function decode(source, refusal, { own, platform, signal, limits }) {
  const { type } = refusal.details;
  if (!own && !platform) throw refusal;
  const file = source.blob?.slice(0, source.size, type) ?? new Blob([source.bytes], { type });
  try {
    if (own) return await own(file, { signal });
    return await platform(file, { signal, check: (width, height) => checkPixels(width, height, limits) });
  } catch (cause) {
    // A limit, or a script that could not be loaded. Otherwise it is only known of a platform that it could not decode the file.
    if (!own && cause instanceof FilepressError) throw cause;
    throw own ? new InputError("corrupt", `The decoder of ${type} failed (${describeError(cause)}).`, { cause }) : refusal;
  }
}

/** Whether no pixel of a PAM file is transparent. Its last bytes are its pixels. */
function isOpaque({ bytes, samples }) {
  for (let at = samples + 3; at < bytes.length; at += 4) if (bytes[at] < 255) return false;
  return true;
}
