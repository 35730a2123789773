// BMP (Windows bitmap), the parts that the tests need.
import { strict as assert } from "node:assert";
import { paint } from "../pictures.mjs";

/** Windows bitmap: 24 bits, or 32 with alpha (BITMAPV4HEADER). Bottom row first. */
export function write({ width, height, data }, { alpha = false } = {}) {
  const [channels, header] = alpha ? [4, 108] : [3, 40];
  const stride = (width * channels + 3) & ~3;
  const file = Buffer.alloc(14 + header + stride * height);
  file.write("BM");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(14 + header, 10);
  file.writeUInt32LE(header, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(channels * 8, 28);
  file.writeUInt32LE(alpha ? 3 : 0, 30);
  file.writeUInt32LE(stride * height, 34);
  if (alpha) [0xff0000, 0xff00, 0xff, 0xff000000, 0x73524742].forEach((mask, index) => file.writeUInt32LE(mask >>> 0, 54 + index * 4));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, opacity] = data.subarray((y * width + x) * 4);
      file.set([blue, green, red, opacity].slice(0, channels), 14 + header + (height - 1 - y) * stride + x * channels);
    }
  }
  return file;
}

/** Reads files of 1 to 32 bits a pixel, and RLE8. */
export function read(file) {
  assert.equal(file.toString("latin1", 0, 2), "BM");
  const [offset, headerSize, width, rows, compression] = [10, 14, 18, 22, 30].map((at) => file.readInt32LE(at));
  const depth = file.readUInt16LE(28);
  assert.ok([0, 1, 3].includes(compression), `compression ${compression} is not read here`);
  const height = Math.abs(rows);
  const stride = Math.ceil((width * depth) / 32) * 4;
  const pixels = compression === 1 ? unpack(file.subarray(offset), stride, height) : file.subarray(offset);
  assert.ok(pixels.length >= stride * height, "truncated");
  const colors = file.subarray(14 + headerSize, offset);
  return paint(width, height, (x, y) => {
    const row = (rows > 0 ? height - 1 - y : y) * stride;
    if (depth > 8) {
      const [blue, green, red, alpha = 255] = pixels.subarray(row + (x * depth) / 8, row + ((x + 1) * depth) / 8);
      return [red, green, blue, alpha];
    }
    const perByte = 8 / depth;
    const index = (pixels[row + Math.floor(x / perByte)] >> (8 - depth * ((x % perByte) + 1))) & (2 ** depth - 1);
    const [blue, green, red] = colors.subarray(index * 4);
    return [red, green, blue, 255];
  });
}

/** RLE8: runs [count, value]; [0, 0] ends a row, [0, 1] the picture, [0, n] tells n plain values, padded to an even number. */
function unpack(coded, stride, height) {
  const pixels = Buffer.alloc(stride * height);
  for (let at = 0, row = 0, to = 0; ; ) {
    const [count, value] = coded.subarray(at, (at += 2));
    assert.ok(value !== undefined, "truncated");
    if (count > 0) pixels.fill(value, to, (to += count));
    else if (value === 0) to = ++row * stride;
    else if (value === 1) return pixels;
    else {
      assert.ok(value > 2, "jumps are not read here");
      to += coded.copy(pixels, to, at, at + value);
      at += value + (value & 1);
    }
  }
}
