// Radiance HDR with values above white, which cannot be made from numbers between 0 and 1.
import { uncurve } from "./light.mjs";

/** Pixels without run-length coding (what the format had first); `stops` doublings brighter than what the picture shows. */
export function writeBright({ width, height, data }, stops) {
  const pixels = Array.from({ length: width * height }, (_, index) => rgbe([...data.subarray(index * 4, index * 4 + 3)].map((value) => uncurve(value / 255) * 2 ** stops)));
  return Buffer.concat([Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`), ...pixels]);
}

/** Three numbers as mantissas of 8 bits with one exponent. */
function rgbe(light) {
  const brightest = Math.max(...light);
  if (brightest < 1e-32) return Buffer.alloc(4);
  const exponent = Math.floor(Math.log2(brightest)) + 1;
  return Buffer.from([...light.map((value) => Math.floor((value / 2 ** exponent) * 256)), exponent + 128]);
}
