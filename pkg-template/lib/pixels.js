// Pixels as inputs and outputs. The engine reads and writes files, so they travel in files that hold nothing but samples: to the engine
// as PAM (Netpbm), from the engine as farbfeld.
import { InputError, LimitError } from "./errors.js";
import { stringTag } from "./string-tag.js";

/** What a canvas can draw, and canvases. */
const DRAWABLE = ["HTMLCanvasElement", "OffscreenCanvas", "ImageBitmap", "VideoFrame"];

/** The default of `limits.maxPixels`, as in `src/limits.rs`. */
const MAX_PIXELS = 1e8;

/** The media type of pixels that go to the engine. */
const PAM = "image/x-portable-anymap";
/** The media type of pixels that come from the engine. */
export const FARBFELD = "image/x-farbfeld";
const FARBFELD_HEADER = 16;

/** The source of an ImageData, of any object with `data`, `width` and `height`, or of what a canvas can draw; undefined for other values. */
export function readPixels(input, limits) {
  const tag = stringTag(input);
  if (DRAWABLE.includes(tag)) return toSource(draw(input, tag, limits), limits);
  if (tag === "ImageData" || (tag === "Object" && isBytes(input.data))) return toSource(input, limits);
}

/** ImageData-like pixels of a farbfeld file. */
export function fromFarbfeld(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [width, height] = [view.getUint32(8), view.getUint32(12)];
  const data = new Uint8ClampedArray(4 * width * height);
  // 65,535 = 257 × 255.
  for (let at = 0; at < data.length; at++) data[at] = Math.floor((view.getUint16(FARBFELD_HEADER + 2 * at) + 128) / 257);
  return { data, width, height, colorSpace: "srgb" };
}

const isBytes = (data) => ["Uint8Array", "Uint8ClampedArray"].includes(stringTag(data));

function toSource({ data, width, height, colorSpace = "srgb" }, limits) {
  const fail = (why) => {
    throw new InputError("unreadable_input", `The pixels cannot be read: ${why}.`);
  };
  const isSide = (side) => Number.isInteger(side) && side > 0 && side <= 0xffff_ffff;
  if (!isSide(width) || !isSide(height)) fail("`width` and `height` must be whole numbers from 1");
  checkPixels(width, height, limits);
  if (!isBytes(data)) fail("`data` must be a Uint8Array or Uint8ClampedArray of red, green, blue and alpha");
  if (data.length !== 4 * width * height) {
    fail(`${width} × ${height} pixels of red, green, blue and alpha are ${4 * width * height} bytes, and \`data\` has ${data.length}`);
  }
  if (colorSpace !== "srgb") fail(`their color space is "${colorSpace}"; pass sRGB, as \`getImageData\` returns by default`);
  const header = `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`;
  const bytes = new Uint8Array(header.length + data.length);
  bytes.set(new TextEncoder().encode(header));
  bytes.set(data, header.length);
  // There is no file whose format could be kept.
  return { bytes, size: bytes.length, type: PAM, defaultType: "image/png", samples: header.length };
}

function draw(picture, tag, limits) {
  const [width, height] = tag === "VideoFrame" ? [picture.displayWidth, picture.displayHeight] : [picture.width, picture.height];
  if (!(width > 0 && height > 0)) {
    const why = tag.endsWith("Canvas") || tag.endsWith("Element") ? "it has no pixels" : "it was closed";
    throw new InputError("unreadable_input", `The ${tag} cannot be read: ${why}.`);
  }
  checkPixels(width, height, limits);
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0, width, height);
  try {
    return context.getImageData(0, 0, width, height);
  } catch (cause) {
    if (cause?.name !== "SecurityError") throw cause;
    const why = "it shows a picture of another origin; load that with `crossOrigin`, from a server that allows it";
    throw new InputError("unreadable_input", `The ${tag} cannot be read: ${why}.`, { cause });
  }
}

/** The same error as the engine's, before pixels are copied. An invalid limit is left to the planner, which refuses it. */
export function checkPixels(width, height, limits) {
  const given = limits?.maxPixels;
  const limit = Number.isSafeInteger(given) && given > 0 ? given : MAX_PIXELS;
  const actual = width * height;
  if (actual <= limit) return;
  throw new LimitError("too_many_pixels", `The image has ${actual} pixels; limits.maxPixels allows ${limit}.`, { details: { actual, limit } });
}
