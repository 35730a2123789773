// Measures every input format to every output format: the difference between the decoded result and the decoded
// input. Both are decoded without filepress.
import { decode, difference, over } from "./decode.mjs";
import { encode, OPAQUE_ONLY } from "./encode.mjs";
import { curve, uncurve } from "./formats/light.mjs";
import { glass, isOpaque, photo } from "./pictures.mjs";

const SIZE = [96, 64];
const SVG = "image/svg+xml";

/**
 * How far off a picture may be after it was written, as a mean over the three colors, 0..255, with no options given. What is
 * not named is written exactly.
 *
 * For the lossy types that is about a third more than what libjpeg, libwebp, libaom and libvips lose of the same picture at
 * the same quality (5.2, 4.2, 4.5 and 4.0 of its grain).
 */
const written = {
  "image/jpeg": 6.5,
  "image/webp": 5.5,
  "image/avif": 6,
  "image/gif": 5,
  // The brightest color has 8 bits in proportion to light, and the others share its exponent.
  "image/vnd.radiance": 0.8,
  // 32-bit floats; what is left is the rounding of the reader's 16 bits.
  "image/x-exr": 0.1,
};

/** How far two decoders may be from each other, in the same measure. What is not named is decoded exactly. */
const read = {
  // The inverse transform is only bounded by the standard.
  "image/jpeg": 0.5,
  // Chroma is scaled up in one way or another.
  "image/webp": 0.5,
  "image/avif": 0.5,
  // Light becomes 8 bits.
  "image/vnd.radiance": 0.5,
  "image/x-exr": 0.1,
  // Edges are smoothed in ways of one's own.
  [SVG]: 0.8,
};

/** Types whose transparency is on or off. */
const hardEdged = new Set(["image/gif"]);
/** Types whose pixels are always opaque, as they are written here. */
const flattened = new Set([...OPAQUE_ONLY, "image/x-portable-anymap"]);

/**
 * Makes all cells with the package `api`, row by row: { from, cells } with cells of { to, off, allowed, refused, failed,
 * failure, results }, `from` and `to` being items of formats(), all image types that the device reads and writes. `off` is that of the
 * worse picture, an opaque one or one with alpha; `failure` is the error where there is none, and `refused` says that it is the
 * error that is promised.
 */
export async function* measure(api) {
  const types = (await api.formats()).filter((format) => format.class === "image" && format.engine === "local");
  for (const from of types) {
    const inputs = await inputsOf(from.type);
    yield { from, cells: await Promise.all(types.filter(({ write }) => write).map((to) => cell(api, from, to, inputs))) };
  }
}

/** Files of a type, each with the picture that another decoder finds in it. */
async function inputsOf(type) {
  const pictures = OPAQUE_ONLY.has(type) ? [photo(...SIZE)] : [photo(...SIZE), glass(...SIZE)];
  return Promise.all(pictures.map(async (picture) => {
    const bytes = await encode(picture, type);
    return { bytes, picture: await decode(bytes, type) };
  }));
}

async function cell(api, from, to, inputs) {
  const promised = refusal(from, to);
  const allowed = (read[from.type] ?? 0) + (written[to.type] ?? 0);
  const results = [];
  let off = 0;
  try {
    for (const { bytes, picture } of inputs) {
      const result = await api.convert(bytes, to.type);
      const made = await result.bytes();
      results.push({ input: bytes, result, made });
      off = Math.max(off, distance(await decode(made, to.type), expected(picture, to.type)));
    }
    return { to, off, allowed, results, failed: promised !== undefined || off > allowed };
  } catch (failure) {
    const refused = promised !== undefined && failure.code === promised;
    return { to, allowed, failure, refused, failed: !refused, results };
  }
}

/** The code of the error that this version promises instead of a picture. Pixels do not become a drawing anywhere. */
function refusal(from, to) {
  if (!from.read) return "unsupported_type";
  return to.write && (to.type !== SVG || from.type === SVG) ? undefined : "unsupported_output";
}

/** What becomes of a picture in a type that cannot hold all of its alpha. */
function expected(picture, type) {
  if (type === "image/vnd.radiance") return overInLight(picture);
  if (flattened.has(type)) return over(picture);
  if (!hardEdged.has(type)) return picture;
  return { ...picture, data: picture.data.map((value, index) => ((index & 3) < 3 ? value : value < 128 ? 0 : 255)) };
}

/** The picture on white, where what shines through is added up as light. */
function overInLight({ width, height, data }) {
  const flat = data.map((value, index) => {
    const alpha = data[index | 3] / 255;
    return (index & 3) === 3 ? 255 : Math.round(255 * curve(uncurve(value / 255) * alpha + 1 - alpha));
  });
  return { width, height, data: flat };
}

/** The mean difference of the colors seen on white or on black, whichever is more: alpha shows in one of them. */
function distance(one, other) {
  // All of it is opaque then, and a quarter of the values says nothing.
  const colors = (background) => (difference(over(one, background), over(other, background)) * 4) / 3;
  return isOpaque(one) && isOpaque(other) ? colors() : Math.max(colors(), colors([0, 0, 0]));
}
