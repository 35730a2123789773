// farbfeld.
import { strict as assert } from "node:assert";
import { paint } from "../pictures.mjs";

/** farbfeld: RGBA of 16 bits a channel. */
export function write({ width, height, data }) {
  const file = Buffer.alloc(16 + data.length * 2);
  file.write("farbfeld");
  file.writeUInt32BE(width, 8);
  file.writeUInt32BE(height, 12);
  data.forEach((value, index) => file.writeUInt16BE(value * 257, 16 + index * 2));
  return file;
}

/** Keeps the upper half of each channel. */
export function read(file) {
  assert.equal(file.toString("latin1", 0, 8), "farbfeld");
  const [width, height] = [file.readUInt32BE(8), file.readUInt32BE(12)];
  assert.equal(file.length, 16 + width * height * 8);
  return paint(width, height, (x, y) => [0, 1, 2, 3].map((channel) => file[16 + ((y * width + x) * 4 + channel) * 2]));
}
