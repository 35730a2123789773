// TGA (Truevision), the parts that the tests need.
import { strict as assert } from "node:assert";
import { paint } from "../pictures.mjs";

/** TGA, 32 bits, top row first; run-length coded in packets of up to 128 equal pixels. */
export function write({ width, height, data }) {
  const header = Buffer.alloc(18);
  header[2] = 10;
  header.writeUInt16LE(width, 12);
  header.writeUInt16LE(height, 14);
  header[16] = 32;
  header[17] = 0x28;
  const packets = [header];
  for (let y = 0; y < height; y++) {
    for (let x = 0, length; x < width; x += length) {
      const pixel = (y * width + x) * 4;
      const same = (other) => [0, 1, 2, 3].every((channel) => data[pixel + channel] === data[other + channel]);
      for (length = 1; x + length < width && length < 128 && same(pixel + length * 4); ) length++;
      const [red, green, blue, opacity] = data.subarray(pixel);
      packets.push(Buffer.from([127 + length, blue, green, red, opacity]));
    }
  }
  return Buffer.concat(packets);
}

/** Reads gray, true color and palettes, run-length coded or not. */
export function read(file) {
  const [idLength, colorMap, kind] = file;
  const [width, height] = [file.readUInt16LE(12), file.readUInt16LE(14)];
  const [depth, descriptor] = [file[16], file[17]];
  const palette = { at: 18 + idLength, entries: colorMap ? file.readUInt16LE(5) : 0, size: file[7] / 8 };
  let at = palette.at + palette.entries * palette.size;
  const pixels = [];
  const take = () => { at += depth / 8; return file.subarray(at - depth / 8, at); };
  while (pixels.length < width * height) {
    const packet = kind & 8 ? file[at++] : 0;
    const count = (packet & 127) + 1;
    const same = packet & 128 ? take() : undefined;
    for (let index = 0; index < count; index++) pixels.push(same ?? take());
  }
  assert.equal(pixels.length, width * height);
  return paint(width, height, (x, y) => {
    let value = pixels[(descriptor & 0x20 ? y : height - 1 - y) * width + x];
    assert.equal(value.length, depth / 8, "truncated");
    if (colorMap) value = file.subarray(palette.at + value[0] * palette.size, palette.at + (value[0] + 1) * palette.size);
    if (value.length === 1) return [value[0], value[0], value[0], 255];
    if (value.length === 2) return [value[0], value[0], value[0], value[1]];
    const [blue, green, red, alpha = 255] = value;
    return [red, green, blue, alpha];
  });
}
