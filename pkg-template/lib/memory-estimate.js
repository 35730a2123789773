// Estimates the memory of a job from the first bytes of its input, so that the pool can decide how many jobs run at once. The engine
// enforces the limits, from the whole header.

/** Memory of an instance before it decodes anything, in bytes. */
const BASE = 8 * 2 ** 20;
/** Bytes per pixel of the input while decoding. */
const DECODING = 4;
/** Bytes per pixel for the coefficients of a progressive JPEG, which are kept until the last scan. */
const COEFFICIENTS = 6;
/** Bytes per pixel of the output while encoding, by build: a photo in the encoder that needs most. */
const ENCODING = { photo: 9, core: 24, full: 48 };
/** A JPEG that is scaled down is decoded to at most this many times the pixels of the output (DCT scaling). */
const MAX_SCALED_DECODE = 10;
/** Defaults of the engine's limits, as in `src/limits.rs`. */
const MAX_PIXELS = 100_000_000;
const MAX_MEMORY = 2 ** 30;

/** An estimate in bytes. `head` is the start of the file, `size` its length; `plan` and `settings` are valid. */
export function estimateMemory(head, size, { inputType, build }, { resize, limits } = {}) {
  const side = Math.sqrt(size);
  // For unknown sizes, assumes one byte per pixel.
  const { width = side, height = side, progressive } = sizeOf(head, inputType) ?? {};
  const pixels = width * height;
  const output = outputPixels(width, height, resize);
  const least = BASE + 2 * size;
  // The engine will refuse it from its header.
  if (Math.max(pixels, output) > (limits?.maxPixels ?? MAX_PIXELS)) return least;
  const decoded = inputType === "image/jpeg" ? Math.min(pixels, output * MAX_SCALED_DECODE) : pixels;
  const kept = progressive ? pixels * COEFFICIENTS : 0;
  const estimate = least + decoded * DECODING + kept + output * ENCODING[build];
  return Math.min(estimate, limits?.maxMemoryBytes ?? MAX_MEMORY);
}

/** Pixels of the output. */
function outputPixels(width, height, resize) {
  if (!resize) return width * height;
  const across = resize.width ?? (resize.height ? (width * resize.height) / height : width);
  const down = resize.height ?? (resize.width ? (height * resize.width) / width : height);
  const shrink = Math.min(1, (resize.maxWidth ?? across) / across, (resize.maxHeight ?? down) / down);
  return across * down * shrink ** 2;
}

/** { width, height } of common formats; undefined for others, or if the header is incomplete or has no size. */
function sizeOf(head, type) {
  const found = readSize(head, type);
  return found?.width > 0 && found.height > 0 ? found : undefined;
}

function readSize(head, type) {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const long = (at) => ({ width: view.getUint32(at), height: view.getUint32(at + 4) });
  try {
    if (type === "image/jpeg") return frameOf(view);
    if (type === "image/png") return long(16);
    if (type === "image/gif") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (type === "image/avif") return long(find(view, 0x69737065) + 8);
    if (type === "image/webp") return webpSize(view);
  } catch {
    // The bytes end before the size.
  }
}

/** The frame header of a JPEG, ITU-T T.81, B.2.2. */
function frameOf(view) {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint8(at + 1) === 0xff) at++;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), progressive: (marker & 3) === 2 };
  }
}

/** RFC 9649, 2.7: 24 bits less one; 3.4: 14 bits less one; RFC 6386, 9.1: 14 bits below two of scale. */
function webpSize(view) {
  const kind = view.getUint8(15);
  const at = kind === 0x58 ? 24 : kind === 0x4c ? 21 : 26;
  const bits = view.getUint32(at, true);
  if (kind === 0x58) return { width: (bits & 0xffffff) + 1, height: (view.getUint32(at + 2, true) >>> 8) + 1 };
  if (kind === 0x4c) return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  return { width: bits & 0x3fff, height: (bits >>> 16) & 0x3fff };
}

/** The offset of a four-byte code: of the box `ispe` in an AVIF, which contains the size (ISO/IEC 23008-12, 6.5.3). */
function find(view, word) {
  let at = 0;
  while (view.getUint32(at) !== word) at++;
  return at;
}
