// A small file of every input format, generated on each run: nothing is committed, nothing is downloaded.
import sharp from "sharp";
import * as bmp from "./formats/bmp.mjs";
import * as farbfeld from "./formats/farbfeld.mjs";
import { writeBright } from "./formats/hdr.mjs";
import * as ico from "./formats/ico.mjs";
import { writeDds, writeExr, writeFloatTiff, writeHdr } from "./formats/magick.mjs";
import { apng } from "./formats/png.mjs";
import * as pnm from "./formats/pnm.mjs";
import * as qoi from "./formats/qoi.mjs";
import { drawn, written } from "./formats/svg.mjs";
import * as tga from "./formats/tga.mjs";
import { drawing, glass, paint, photo } from "./pictures.mjs";

/** A picture as a sharp pipeline, to be written in any type that sharp writes. */
export const toSharp = ({ width, height, data }) => sharp(data, { raw: { width, height, channels: 4 } });
const opaque = (picture) => toSharp(picture).removeAlpha();

/** What the core build reads. */
const core = {
  "baseline.jpg": ([w, h]) => opaque(photo(w, h)).jpeg({ quality: 92 }),
  "progressive.jpg": ([w, h]) => opaque(photo(w, h)).jpeg({ quality: 85, progressive: true, chromaSubsampling: "4:4:4" }),
  "gray.jpg": ([w, h]) => opaque(photo(w, h)).toColorspace("b-w").jpeg({ quality: 85 }),
  "cmyk.jpg": ([w, h]) => opaque(photo(w, h)).toColorspace("cmyk").jpeg({ quality: 85 }),
  "wide-gamut.jpg": ([w, h]) => opaque(photo(w, h)).withIccProfile("p3").jpeg({ quality: 85 }),
  "rgb.png": ([w, h]) => opaque(photo(w, h)).png(),
  "rgba.png": ([w, h]) => toSharp(glass(w, h)).png(),
  "palette.png": ([w, h]) => opaque(drawing(w, h)).png({ palette: true }),
  "gray.png": ([w, h]) => opaque(photo(w, h)).toColorspace("b-w").png({ progressive: true }),
  "deep.png": ([w, h]) => deep(photo(w, h)).png(),
  "animated.png": ([w, h]) => apng([1, 2, 3].map((seed) => photo(w >> 2, h >> 2, seed))),
  "lossy.webp": ([w, h]) => opaque(photo(w, h)).webp({ quality: 85 }),
  "lossy-alpha.webp": ([w, h]) => toSharp(glass(w, h)).webp({ quality: 85 }),
  "lossless.webp": ([w, h]) => toSharp(glass(w, h)).webp({ lossless: true }),
  "still.gif": ([w, h]) => opaque(drawing(w, h)).gif(),
  "animated.gif": ([w, h]) => filmstrip(w >> 1, h >> 1).gif({ delay: [100, 100, 100] }),
  "animated.webp": ([w, h]) => filmstrip(w >> 1, h >> 1).webp({ delay: [100, 100, 100] }),
  "plain.bmp": ([w, h]) => bmp.write(photo(w, h)),
  "alpha.bmp": ([w, h]) => bmp.write(glass(w, h), { alpha: true }),
  "coded.tga": ([w, h]) => tga.write(drawing(w, h)),
  "rgba.qoi": ([w, h]) => qoi.write(glass(w, h)),
  "color.ppm": ([w, h]) => pnm.write(photo(w, h), "P6"),
  "gray.pgm": ([w, h]) => pnm.write(photo(w, h), "P5"),
  "bits.pbm": ([w, h]) => pnm.write(drawing(w, h), "P4"),
  "alpha.pam": ([w, h]) => pnm.write(glass(w, h), "P7"),
  "deep.ff": ([w, h]) => farbfeld.write(glass(w, h)),
  "sizes.ico": () => icon([16, 48]),
};

/** What only the full build reads. */
const full = {
  "lossy.avif": ([w, h]) => opaque(photo(w, h)).avif({ quality: 70, effort: 2 }),
  "alpha.avif": ([w, h]) => toSharp(glass(w, h)).avif({ quality: 70, effort: 2 }),
  "deep.avif": ([w, h]) => opaque(photo(w, h)).avif({ quality: 70, effort: 2, bitdepth: 12, chromaSubsampling: "4:2:0" }),
  "deflated.tiff": ([w, h]) => opaque(photo(w, h)).tiff({ compression: "deflate", predictor: "horizontal" }),
  "alpha.tiff": ([w, h]) => toSharp(glass(w, h)).tiff({ compression: "lzw", predictor: "none" }),
  "deep.tiff": ([w, h]) => deep(photo(w, h)).tiff({ compression: "lzw" }),
  "float.tiff": ([w, h]) => writeFloatTiff(photo(w, h)),
  "gray.tiff": ([w, h]) => opaque(photo(w, h)).toColorspace("b-w").tiff({ compression: "packbits", predictor: "none" }),
  "bits.tiff": ([w, h]) => opaque(drawing(w, h)).toColorspace("b-w").tiff({ compression: "ccittfax4", bitdepth: 1 }),
  "photo.tiff": ([w, h]) => opaque(photo(w, h)).tiff({ compression: "jpeg", quality: 80 }),
  "inks.tiff": ([w, h]) => opaque(photo(w, h)).toColorspace("cmyk").tiff({ compression: "lzw" }),
  "tiles.tiff": ([w, h]) => opaque(photo(w, h)).tiff({ compression: "deflate", tile: true, tileWidth: 32, tileHeight: 32, bigtiff: true }),
  "pages.tiff": ([w, h]) => filmstrip(w >> 1, h >> 1).removeAlpha().tiff({ compression: "lzw" }),
  "plain.exr": ([w, h]) => writeExr(photo(w, h)),
  "alpha.exr": ([w, h]) => writeExr(glass(w, h), "zip"),
  "wavelets.exr": ([w, h]) => writeExr(photo(w, h), "piz"),
  "coded.hdr": ([w, h]) => writeHdr(photo(w, h)),
  "bright.hdr": ([w, h]) => writeBright(photo(w, h), 3),
  "plain.dds": ([w, h]) => writeDds(photo(w, h), { alpha: false }),
  "alpha.dds": ([w, h]) => writeDds(glass(w, h)),
  "blocks.dds": ([w, h]) => writeDds(photo(w, h), { compression: "dxt1", alpha: false }),
  "alpha-blocks.dds": ([w, h]) => writeDds(glass(w, h), { compression: "dxt5" }),
  "drawn.svg": ([w, h]) => drawn(w, h),
  "clear.svg": ([w, h]) => drawn(w, h, { clear: true }),
  "written.svg": ([w, h]) => written(w, h),
};

const makers = { ...core, ...full };
export const sampleNames = Object.keys(makers);
export const coreSampleNames = Object.keys(core);

/** The bytes of a sample; `size` is [width, height] in pixels, which icons and the odd animation do not follow. */
export async function sample(name, size = [160, 104]) {
  const made = await makers[name](size);
  return new Uint8Array(Buffer.isBuffer(made) ? made : await made.toBuffer());
}

/** Samples, all unless some are named, as a Map from name to bytes. */
export async function samples(size, names = sampleNames) {
  return new Map(await Promise.all(names.map(async (name) => [name, await sample(name, size)])));
}

/** 16 bits a channel, the lower eight of which are not the upper ones once more. */
function deep({ width, height, data }) {
  const values = Uint16Array.from(data, (value, index) => (value << 8) | ((index * 37) & 255));
  return sharp(values, { raw: { width, height, channels: 4 } }).removeAlpha().toColorspace("rgb16");
}

/** Three frames, one above the other, as sharp wants them. */
function filmstrip(width, height) {
  const strip = paint(width, height * 3, (x, y) => [(x * 4) & 255, (y * 3) & 255, 80 * Math.floor(y / height)]);
  return sharp(strip.data, { raw: { width, height: height * 3, channels: 4, pageHeight: height } });
}

async function icon(sides) {
  const coded = sides.map(async (side) => ({ width: side, height: side, bytes: await toSharp(glass(side, side)).png().toBuffer() }));
  return ico.write(await Promise.all(coded));
}
