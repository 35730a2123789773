// Small pictures for the cards, by the browser where it reads the type. One after the other, so that many photos dropped at
// once do not fill the memory; a video, which may take its time, waits in a row of its own.

const SIDE = 144;
/** How long a video may take to show a frame, in milliseconds. */
const PATIENCE = 60_000;

const pictures = createRow();
const videos = createRow();

/** Draws a small picture of `file`; resolves to a canvas, or undefined where there is none to be had. */
export const thumbnail = (file) => pictures(() => drawPicture(file));

/** Draws the first frame of a video; resolves to a canvas, or undefined where the browser lacks the codec. */
export const frame = (file) => videos(() => drawVideo(file));

function createRow() {
  let last = Promise.resolve();
  return (work) => {
    last = last.then(work).catch(() => undefined);
    return last;
  };
}

async function drawPicture(file) {
  const bitmap = await createImageBitmap(file, { resizeWidth: SIDE, resizeQuality: "medium" });
  const canvas = drawSquare(bitmap, bitmap.width, bitmap.height);
  bitmap.close();
  return canvas;
}

async function drawVideo(file) {
  const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, preload: "auto" });
  const url = URL.createObjectURL(file);
  try {
    await new Promise((resolve, reject) => {
      video.addEventListener("loadeddata", resolve);
      video.addEventListener("error", reject);
      setTimeout(reject, PATIENCE);
      video.src = url;
    });
    // Of some types a browser plays the sound alone.
    if (video.videoWidth > 0) return drawSquare(video, video.videoWidth, video.videoHeight);
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

/** The middle of a picture, as a square. */
function drawSquare(source, width, height) {
  const side = Math.min(width, height);
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  canvas.getContext("2d").drawImage(source, left, top, side, side, 0, 0, SIDE, SIDE);
  return canvas;
}
