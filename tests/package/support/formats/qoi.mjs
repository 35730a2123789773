// QOI 1.0.
import { strict as assert } from "node:assert";
import { paint } from "../pictures.mjs";

/** QOI with runs and plain pixels only. */
export function write({ width, height, data }) {
  const header = Buffer.alloc(14);
  header.write("qoif");
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  header[12] = 4;
  const ops = [header];
  let before = 0x000000ff;
  for (let pixel = 0, run = 0; pixel < data.length; pixel += 4) {
    const value = Buffer.from(data.buffer, data.byteOffset + pixel, 4).readUInt32BE();
    if (value === before) run++;
    const ends = pixel + 4 === data.length;
    if (run > 0 && (value !== before || run === 62 || ends)) {
      ops.push(Buffer.from([0xc0 | (run - 1)]));
      run = 0;
    }
    if (value !== before) ops.push(Buffer.from([0xff, ...data.subarray(pixel, pixel + 4)]));
    before = value;
  }
  return Buffer.concat([...ops, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])]);
}

export function read(file) {
  assert.equal(file.toString("latin1", 0, 4), "qoif");
  const [width, height] = [file.readUInt32BE(4), file.readUInt32BE(8)];
  const seen = Array.from({ length: 64 }, () => [0, 0, 0, 0]);
  let [pixel, at, run] = [[0, 0, 0, 255], 14, 0];
  const next = () => {
    if (run > 0) return run--, pixel;
    const [red, green, blue, alpha] = pixel;
    const tag = file[at++];
    if (tag === 0xfe) pixel = [...file.subarray(at, (at += 3)), alpha];
    else if (tag === 0xff) pixel = [...file.subarray(at, (at += 4))];
    else if (tag >> 6 === 0) pixel = seen[tag];
    else if (tag >> 6 === 1) pixel = [red + ((tag >> 4) & 3) - 2, green + ((tag >> 2) & 3) - 2, blue + (tag & 3) - 2, alpha];
    else if (tag >> 6 === 2) {
      const [luma, rest] = [(tag & 63) - 32, file[at++]];
      pixel = [red + luma + (rest >> 4) - 8, green + luma, blue + luma + (rest & 15) - 8, alpha];
    } else run = tag & 63;
    pixel = pixel.map((value) => value & 255);
    seen[(pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + pixel[3] * 11) % 64] = pixel;
    return pixel;
  };
  const picture = paint(width, height, next);
  assert.equal(file.toString("hex", at), "0000000000000001", "the end is not where it should be");
  return picture;
}
