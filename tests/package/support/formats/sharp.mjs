// The formats that sharp reads: JPEG, PNG, WebP, GIF, TIFF, AVIF and SVG.
import sharp from "sharp";

/** RGBA in sRGB, 8 bits a channel; an orientation tag is not followed. */
export async function readWithSharp(file) {
  const { data, info } = await sharp(file).toColorspace("srgb").ensureAlpha().raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}
