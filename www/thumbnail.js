// Small pictures for the cards: by the browser where it reads the type, else by the package. One after the other, so that many
// photos dropped at once do not fill the memory.

const SIDE = 144;
let last = Promise.resolve();

/** Draws a small picture of `file`; resolves to a canvas, or undefined where there is none to be had. */
export function thumbnail(file) {
  const drawn = last.then(() => draw(file)).catch(() => undefined);
  last = drawn;
  return drawn;
}

async function draw(file) {
  const bitmap = await createImageBitmap(file, { resizeWidth: SIDE, resizeQuality: "medium" });
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas.getContext("2d").drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  return canvas;
}
