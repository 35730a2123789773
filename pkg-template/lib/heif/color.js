// The colors of a HEIC picture: code points (ITU-T H.273) in the words of WebCodecs, and the profile that iPhones write.
import { Reader } from "./boxes.js";

const PRIMARIES = { 1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020", 12: "smpte432" };
const TRANSFERS = { 1: "bt709", 6: "smpte170m", 8: "linear", 13: "iec61966-2-1", 16: "pq", 18: "hlg" };
const MATRICES = { 0: "rgb", 1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020-ncl" };

/** The colorants of Display P3, adapted to the white of ICC profiles: X, Y and Z of red, green and blue. */
const DISPLAY_P3 = [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841];

/** What a decoder is told of a picture's code points: nothing if it has none, since the coded picture has its own. */
export function videoColor(color) {
  if (color?.primaries === undefined) return {};
  const { primaries, transfer, matrix, fullRange } = color;
  // What is unspecified is sRGB with the matrix of BT.601.
  const known = { primaries: PRIMARIES[primaries] ?? "bt709", transfer: TRANSFERS[transfer] ?? "iec61966-2-1" };
  return { colorSpace: { ...known, matrix: MATRICES[matrix] ?? "smpte170m", fullRange } };
}

/** Whether an ICC profile has the colorants of Display P3. */
export function isDisplayP3(profile) {
  try {
    return colorantsOf(profile).every((value, index) => Math.abs(value - DISPLAY_P3[index]) < 0.002);
  } catch {
    // Gray profiles have none, and those of tables need none.
    return false;
  }
}

/** The tags `rXYZ`, `gXYZ` and `bXYZ` (ICC.1:2022, 10.31). */
function colorantsOf(profile) {
  const reader = new Reader(profile);
  reader.take(128);
  const tags = new Map(Array.from({ length: Math.min(reader.uint(4), 100) }, () => [reader.code(), [reader.uint(4), reader.uint(4)]]));
  return ["rXYZ", "gXYZ", "bXYZ"].flatMap((name) => {
    const [offset, size] = tags.get(name);
    const tag = new Reader(profile.subarray(offset, offset + size));
    tag.take(8);
    return [tag.int32(), tag.int32(), tag.int32()].map((value) => value / 65536);
  });
}

/** Takes the samples of a canvas for those of Display P3, and converts them to sRGB. */
export function fromDisplayP3(canvas) {
  const context = canvas.getContext("2d");
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  context.putImageData(new ImageData(data, width, height, { colorSpace: "display-p3" }), 0, 0);
}
