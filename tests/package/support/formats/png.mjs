// Builds PNG files chunk by chunk, including invalid headers and animations that ordinary writers do not produce.
import { deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A file whose header claims `width` × `height` RGB pixels, with next to none behind it. */
export function pngThatClaims(width, height) {
  return Buffer.concat([SIGNATURE, header(width, height, 2), chunk("IDAT", deflateSync(Buffer.alloc(64))), chunk("IEND", Buffer.alloc(0))]);
}

/** An animation of pictures of one size; `delay` in milliseconds for each, `loop` 0 for ever. */
export function apng(pictures, { delay = pictures.map(() => 100), loop = 0 } = {}) {
  const [{ width, height }] = pictures;
  let sequence = 0;
  const number = (value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
  const frames = pictures.flatMap((picture, index) => {
    const control = Buffer.concat([...[sequence++, width, height, 0, 0].map(number), Buffer.from([delay[index] >> 8, delay[index] & 255, 1000 >> 8, 1000 & 255, 0, 0])]);
    const pixels = deflateSync(filtered(picture));
    const data = index === 0 ? chunk("IDAT", pixels) : chunk("fdAT", Buffer.concat([number(sequence++), pixels]));
    return [chunk("fcTL", control), data];
  });
  const count = Buffer.concat([number(pictures.length), number(loop)]);
  return Buffer.concat([SIGNATURE, header(width, height, 6), chunk("acTL", count), ...frames, chunk("IEND", Buffer.alloc(0))]);
}

/** `file` with an XMP packet in it, as the XMP specification wants it: sharp writes it in another way. */
export function withXmp(file, xmp) {
  const text = chunk("iTXt", Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`));
  const afterHeader = SIGNATURE.length + 25;
  return Buffer.concat([file.subarray(0, afterHeader), text, file.subarray(afterHeader)]);
}

function header(width, height, colorType) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, colorType], 8);
  return chunk("IHDR", data);
}

/** Rows with the filter "none" before each. */
function filtered({ width, height, data }) {
  const rows = Array.from({ length: height }, (_, y) => [Buffer.of(0), data.subarray(y * width * 4, (y + 1) * width * 4)]);
  return Buffer.concat(rows.flat());
}

function crc(bytes) {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}
