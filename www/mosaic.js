// A sample of a picture that stands for all of it: squares from all over it, at full resolution, side by side. What takes seconds on
// all pixels takes a moment on these.
import { filepress } from "./package.js";

/** Squares in a row and in a column. */
const GRID = 3;
/** Calls go one after another, because a decoded picture takes the memory of all its pixels. */
let last = Promise.resolve();

/** Whether a sample of squares with this side has less than half of a picture's pixels. */
export const isSampled = ({ width, height }, side) =>
  Math.min(width, height) >= GRID * side && width * height > 2 * (GRID * side) ** 2;

/**
 * Resolves to samples of the same parts of pictures, as ImageData.
 * @param {{ width: number, height: number }} size of the pictures in pixels; one of another size is scaled. `isSampled` holds for it.
 * @param {number} side of a square in pixels.
 * @param use what is done with them before the next samples are taken; its result is that of the call.
 */
export function samples(blobs, size, side, signal, use = (taken) => taken) {
  const taking = last.then(async () => use(await take(blobs, size, side, signal)));
  last = taking.catch(() => {});
  return taking;
}

async function take(blobs, size, side, signal) {
  signal.throwIfAborted();
  if (!givesPixels()) return middles(blobs, size, side, signal);
  const bitmaps = await Promise.all(blobs.map((blob) => createImageBitmap(blob).catch(() => undefined)));
  const decoded = bitmaps.filter((bitmap) => bitmap !== undefined);
  try {
    signal.throwIfAborted();
    if (decoded.length === blobs.length) return decoded.map((bitmap) => squares(bitmap, size, side));
  } finally {
    for (const bitmap of decoded) bitmap.close();
  }
  return middles(blobs, size, side, signal);
}

let readable;
/** Whether canvases give what was drawn. Where fingerprinting is resisted, they give noise. */
function givesPixels() {
  readable ??= isDrawn();
  return readable;
}

function isDrawn() {
  const canvas = Object.assign(document.createElement("canvas"), { width: 8, height: 8 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "rgb(80 120 160)";
  context.fillRect(0, 0, 8, 8);
  // Some browsers change a bit here and there, which changes no score.
  return context.getImageData(0, 0, 8, 8).data.every((value, index) => Math.abs(value - [80, 120, 160, 255][index % 4]) < 4);
}

function squares(bitmap, { width, height }, side) {
  const canvas = Object.assign(document.createElement("canvas"), { width: GRID * side, height: GRID * side });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  const [across, down] = [bitmap.width / width, bitmap.height / height];
  const start = (length, index) => Math.round((length * (index + 0.5)) / GRID - side / 2);
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++) {
      const [left, top] = [start(width, column) * across, start(height, row) * down];
      context.drawImage(bitmap, left, top, side * across, side * down, column * side, row * side, side, side);
    }
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Of each picture the middle, decoded by the package, where the browser can't decode it or gives no pixels. */
const middles = (blobs, ...rest) => Promise.all(blobs.map((blob) => middle(blob, ...rest)));

async function middle(blob, { width, height }, side, signal) {
  const { decode } = await filepress();
  const length = GRID * side;
  const crop = { x: Math.floor((width - length) / 2), y: Math.floor((height - length) / 2), width: length, height: length };
  const { data } = await decode(blob, { crop, signal });
  return new ImageData(data, length, length);
}
