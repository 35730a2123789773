// The pictures of the benchmark: installed photographs, or generated stand-ins of the same kind and size.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { draw } from "./generated-pictures.mjs";

/** The demo pictures of Squoosh, beside the project. */
const squoosh = (name) => fileURLToPath(new URL(`../../shared/corpus/${name}`, import.meta.url));
/** Of Debian's package mate-backgrounds, which set-up installs. */
const mate = (name) => `/usr/share/backgrounds/mate/${name}`;

const entries = [
  { name: "camera", kind: "photo", path: squoosh("demo-large-photo.jpg"), width: 3872, height: 2592 },
  { name: "elephants", kind: "photo", path: mate("abstract/Elephants_5640x3172.jpg"), width: 5640, height: 3172 },
  { name: "wood", kind: "photo", path: mate("nature/Wood.jpg"), width: 2560, height: 1920 },
  { name: "wings", kind: "photo", path: mate("nature/TwoWings.jpg"), width: 2560, height: 1600 },
  { name: "storm", kind: "photo", path: mate("nature/Storm.jpg"), width: 1920, height: 1280 },
  { name: "dune", kind: "photo", path: mate("nature/Dune.jpg"), width: 1680, height: 1050 },
  { name: "meadow", kind: "photo", path: mate("nature/GreenMeadow.jpg"), width: 1280, height: 1024 },
  { name: "phone", kind: "screenshot", path: squoosh("demo-device-screen.png"), width: 706, height: 1442 },
  { name: "film", kind: "screenshot", path: squoosh("example.png"), width: 2558, height: 1348 },
  { name: "float", kind: "graphic", path: mate("desktop/Float-into-MATE.png"), width: 1440, height: 900 },
  { name: "arcs", kind: "alpha", path: mate("abstract/Arc-Colors-Transparent-Wallpaper.png"), width: 2140, height: 1200 },
  { name: "waves", kind: "palette", path: mate("abstract/Waves.png"), width: 1600, height: 1200 },
];

/** How a kind is stored, and what stands in for it: `write` makes the file of it. */
const kinds = {
  photo: { type: "jpg", drawing: "landscape", write: (image) => image.removeAlpha().jpeg({ quality: 92 }) },
  screenshot: { type: "png", drawing: "shapes", write: (image) => image.png() },
  graphic: { type: "png", drawing: "shapes", write: (image) => image.png() },
  alpha: { type: "png", drawing: "badge", write: (image) => image.png() },
  palette: { type: "png", drawing: "badge", write: (image) => image.png({ palette: true, colors: 256 }) },
};

/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {"photo" | "screenshot" | "graphic" | "alpha" | "palette"} kind
 * @property {string} source whence it is, for a person.
 * @property {string} path a JPEG for photos, a PNG for the others.
 * @property {Buffer} bytes what stands there.
 * @property {number} width
 * @property {number} height
 * @property {number} megapixels
 */

/**
 * Photos are taken as they are. A PNG is saved again by sharp, in sRGB and without metadata, so that no peer has to keep or to
 * convert what another drops; those of the kind "palette" are given 256 colors on the way.
 * @param {string} folder where what is made is written to.
 * @returns {Promise<Picture[]>}
 */
export async function openCorpus(folder) {
  const pictures = [];
  for (const entry of entries) pictures.push(await open(entry, folder));
  return pictures;
}

async function open({ name, kind, path, width, height }, folder) {
  const there = existsSync(path);
  const { type, drawing, write } = kinds[kind];
  const file = there && kind === "photo" ? path : join(folder, `${name}.${type}`);
  if (file !== path) {
    const raw = { raw: { width, height, channels: 4 } };
    const image = there ? sharp(path) : sharp(draw(drawing, width, height), raw);
    writeFileSync(file, await write(image).toBuffer());
  }
  const bytes = readFileSync(file);
  const size = await sharp(bytes).metadata();
  const source = there ? basename(path) : `drawn (${basename(path)} is not installed)`;
  const megapixels = (size.width * size.height) / 1e6;
  return { name, kind, source, path: file, bytes, width: size.width, height: size.height, megapixels };
}
