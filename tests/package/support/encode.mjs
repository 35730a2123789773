// Encodes every image format without filepress: by sharp, by the writers of formats/, by ImageMagick, by libjxl; the SVG is
// written here.
import * as bmp from "./formats/bmp.mjs";
import * as farbfeld from "./formats/farbfeld.mjs";
import * as ico from "./formats/ico.mjs";
import { encodeJxl } from "./formats/jxl.mjs";
import { writeDds, writeExr, writeHdr } from "./formats/magick.mjs";
import * as pnm from "./formats/pnm.mjs";
import * as qoi from "./formats/qoi.mjs";
import { drawn } from "./formats/svg.mjs";
import * as tga from "./formats/tga.mjs";
import { isOpaque } from "./pictures.mjs";
import { toSharp } from "./samples.mjs";

/** A pipeline for what sharp writes; without the alpha that says nothing. */
const pipeline = (picture) => (isOpaque(picture) ? toSharp(picture).removeAlpha() : toSharp(picture));

/** Types without an alpha channel. */
export const OPAQUE_ONLY = new Set(["image/jpeg", "image/vnd.radiance"]);

const writers = {
  "image/png": (picture) => pipeline(picture).png().toBuffer(),
  "image/jpeg": (picture) => pipeline(picture).jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer(),
  "image/webp": (picture) => pipeline(picture).webp({ quality: 90 }).toBuffer(),
  "image/gif": (picture) => pipeline(picture).gif().toBuffer(),
  "image/bmp": (picture) => bmp.write(picture, { alpha: !isOpaque(picture) }),
  "image/tiff": (picture) => pipeline(picture).tiff({ compression: "deflate", predictor: "horizontal" }).toBuffer(),
  "image/x-icon": async (picture) => ico.write([{ ...picture, bytes: await pipeline(picture).png().toBuffer() }]),
  "image/avif": (picture) => pipeline(picture).avif({ quality: 80 }).toBuffer(),
  "image/x-portable-anymap": (picture) => pnm.write(picture, isOpaque(picture) ? "P6" : "P7"),
  "image/x-tga": (picture) => tga.write(picture),
  "image/vnd.ms-dds": (picture) => writeDds(picture, { alpha: !isOpaque(picture) }),
  "image/vnd.radiance": writeHdr,
  "image/x-exr": (picture) => writeExr(picture, "zip"),
  "image/x-farbfeld": (picture) => farbfeld.write(picture),
  "image/jxl": async (picture) => encodeJxl(await pipeline(picture).png().toBuffer()),
  "image/qoi": (picture) => qoi.write(picture),
  // A drawing of its own, of the same size, since pixels do not become one.
  "image/svg+xml": (picture) => drawn(picture.width, picture.height, { clear: !isOpaque(picture) }),
};

/** The image types, all of which can be made, as media types. */
export const madeTypes = Object.keys(writers);

/** Of items of formats(), the media types that are both read and made of pixels. */
export const rasterTypes = (formats) => formats.filter(({ type, engine, write }) => engine === "local" && write && type !== "image/svg+xml").map(({ type }) => type);

/** A file of `type` that holds the picture, as near as the type can. */
export async function encode(picture, type) {
  return new Uint8Array(await writers[type](picture));
}
