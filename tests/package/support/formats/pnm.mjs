// The Netpbm family.
import { strict as assert } from "node:assert";
import { paint } from "../pictures.mjs";

/** Netpbm: "P6" color, "P5" gray (its red channel), "P4" black and white; "P7" with alpha. */
export function write({ width, height, data }, magic = "P6") {
  const header = {
    P4: `P4\n${width} ${height}\n`,
    P5: `P5\n${width} ${height}\n255\n`,
    P6: `P6\n${width} ${height}\n255\n`,
    P7: `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`,
  }[magic];
  if (magic === "P4") return Buffer.concat([Buffer.from(header), bits({ width, height, data })]);
  const channels = { P5: 1, P6: 3, P7: 4 }[magic];
  return Buffer.concat([Buffer.from(header), data.filter((_, index) => index % 4 < channels)]);
}

function bits({ width, height, data }) {
  const rows = Buffer.alloc(Math.ceil(width / 8) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[(y * width + x) * 4] < 128) rows[y * Math.ceil(width / 8) + (x >> 3)] |= 0x80 >> (x & 7);
    }
  }
  return rows;
}

/** Reads P4 to P7. */
export function read(file) {
  const words = file.toString("latin1", 0, 256);
  if (words.startsWith("P7")) {
    const field = (name) => Number(words.match(new RegExp(`${name} (\\d+)`))[1]);
    return netpbm(file, words.indexOf("ENDHDR\n") + 7, field("WIDTH"), field("HEIGHT"), field("DEPTH"), field("MAXVAL"));
  }
  const bitmap = words.match(/^P4\s(\d+)\s(\d+)\s/);
  if (bitmap) return blackAndWhite(file, bitmap[0].length, Number(bitmap[1]), Number(bitmap[2]));
  const [header, magic, width, height, maximum] = words.match(/^(P[56])\s(\d+)\s(\d+)\s(\d+)\s/);
  return netpbm(file, header.length, Number(width), Number(height), magic === "P6" ? 3 : 1, Number(maximum));
}

function blackAndWhite(file, start, width, height) {
  const stride = Math.ceil(width / 8);
  assert.equal(file.length, start + stride * height);
  return paint(width, height, (x, y) => Array(3).fill(file[start + y * stride + (x >> 3)] & (0x80 >> (x & 7)) ? 0 : 255));
}

function netpbm(file, start, width, height, depth, maximum) {
  const size = maximum > 255 ? 2 : 1;
  assert.equal(file.length, start + width * height * depth * size);
  const sample = (index) => Math.round(((size === 2 ? file.readUInt16BE(start + index * 2) : file[start + index]) * 255) / maximum);
  return paint(width, height, (x, y) => {
    const samples = Array.from({ length: depth }, (_, channel) => sample((y * width + x) * depth + channel));
    if (depth >= 3) return samples;
    return [samples[0], samples[0], samples[0], samples[1] ?? 255];
  });
}
