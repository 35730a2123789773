// Imports the package when it is first needed, so that it does not delay the page.
import { withWatermark } from "./watermark.js";

let importing;
let known;

/** The public module of the package. */
export function filepress() {
  importing ??= import("./filepress/index.browser.js").catch((error) => {
    importing = undefined;
    throw error;
  });
  return importing;
}

/** Makes the planned call for a file. `more` are options that do not change the result. */
export async function make(source, { to, options }, more) {
  const { compress } = await filepress();
  return compress(source, { ...withWatermark(options), ...(to && { to }), ...more });
}

/** The result of `formats()`, cached. */
export function formats() {
  known ??= filepress()
    .then((api) => api.formats())
    .catch((error) => {
      known = undefined;
      throw error;
    });
  return known;
}

/** The entry of `formats()` for a media type; undefined if there is none. */
export async function formatOf(type) {
  return (await formats()).find((format) => format.type === type);
}

/** The package's limit of an input's bytes, and how many of a larger file are read to recognize it. */
const MAX_BYTES = 256 * 2 ** 20;
const HEAD = 16 * 2 ** 20;

/** Names of formats that browsers decode, but neither filepress nor its server does. */
const BROWSERS_FORMATS = { "image/heif": "HEIF", "image/jp2": "JPEG 2000" };

/**
 * Recognizes a file by its bytes: the result of `inspect` for an image, only the type for video, audio and PDF; with name and class of
 * the format. An image that only the browser can decode has no class. One that only a server may decode has its type, and `unread`,
 * the error of this device. Rejects as `inspect` does.
 */
export async function recognize(file, signal) {
  const { inspect } = await filepress();
  // A file that is too large to process can still be recognized. Browsers do not read files of gigabytes into memory.
  const isTooLarge = file.size > MAX_BYTES;
  const found = await inspect(isTooLarge ? file.slice(0, HEAD) : file, { signal }).catch(async (error) => {
    if (error.code === "needs_service") return { type: error.details.type };
    // Of the formats that need a decoder, only those that a server may read are listed.
    if (error.code === "needs_decoder" && (await formatOf(error.details.type))) {
      return { type: error.details.type, unread: error, fallback: "image/jpeg" };
    }
    // What is missing may be the rest of the file, so its size is what is wrong: the package says so.
    if (isTooLarge && error.code === "corrupt") return inspect(file, { signal });
    throw error;
  });
  const { name = BROWSERS_FORMATS[found.type] ?? found.type, class: kind, read, write } = (await formatOf(found.type)) ?? {};
  // JPEG XL is read, and not written.
  const unwritten = read && !write && { fallback: found.hasAlpha || found.isAnimated ? "image/webp" : "image/jpeg" };
  return { ...found, ...unwritten, name, class: kind === "image" && !read && !found.unread ? undefined : kind };
}

/** Converts an image to a PNG, quickly. */
export async function toPng(file, signal) {
  const { convert } = await filepress();
  return (await convert(file, "image/png", { effort: 0, signal })).file;
}

/** Converts an image to a format that every browser shows, at most `side` pixels long. Rejects if it can't be decoded. */
export async function viewable(blob, side = 16_383) {
  const { convert } = await filepress();
  const options = { quality: 90, resize: { maxWidth: side, maxHeight: side } };
  return (await convert(blob, "image/webp", options)).blob;
}
