// Decodes files without filepress: by sharp, and by the readers of formats/ for formats that sharp does not support.
import { strict as assert } from "node:assert";
import sharp from "sharp";
import * as bmp from "./formats/bmp.mjs";
import * as farbfeld from "./formats/farbfeld.mjs";
import * as ico from "./formats/ico.mjs";
import * as jxl from "./formats/jxl.mjs";
import { dds, exr, hdr } from "./formats/magick.mjs";
import * as pnm from "./formats/pnm.mjs";
import * as qoi from "./formats/qoi.mjs";
import { readWithSharp } from "./formats/sharp.mjs";
import * as tga from "./formats/tga.mjs";

const readers = {
  "image/bmp": bmp,
  "image/x-tga": tga,
  "image/qoi": qoi,
  "image/x-portable-anymap": pnm,
  "image/x-farbfeld": farbfeld,
  "image/x-icon": ico,
  "image/vnd.ms-dds": dds,
  "image/vnd.radiance": hdr,
  "image/x-exr": exr,
  "image/jxl": jxl,
};

/** A picture as in pictures.mjs. `type` is what the result claims to be: bytes of another type do not pass. */
export async function decode(bytes, type) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (readers[type]) return readers[type].read(file);
  const { mediaType } = await sharp(file).metadata();
  assert.equal(mediaType, type, "the bytes are of another type than the result says");
  return readWithSharp(file);
}

/** The picture on a background, as a viewer shows it. */
export function over({ width, height, data }, background = [255, 255, 255]) {
  const flat = data.map((value, index) => {
    const alpha = data[index | 3] / 255;
    return (index & 3) === 3 ? 255 : Math.round(value * alpha + background[index & 3] * (1 - alpha));
  });
  return { width, height, data: flat };
}

/** The mean difference of two pictures of one size, over all channels, 0..255. */
export function difference(one, other) {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  return one.data.reduce((sum, value, index) => sum + Math.abs(value - other.data[index]), 0) / one.data.length;
}

/** [r, g, b, a] at a place given in fractions of width and height. */
export function pixelAt({ width, height, data }, across, down) {
  const index = Math.floor(down * height) * width + Math.floor(across * width);
  return [...data.subarray(index * 4, index * 4 + 4)];
}
