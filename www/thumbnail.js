// Thumbnails for the cards, decoded by the browser if it can. One at a time, so that many photos at once do not exhaust memory; videos,
// which can be slow, have a queue of their own.

/** Device pixels of a side: cards show 72 CSS pixels. Sharper screens than twice that gain nothing visible. */
const SIDE = Math.ceil(72 * Math.min(globalThis.devicePixelRatio || 1, 2));
/** Timeout for the first frame of a video, in milliseconds. */
const VIDEO_TIMEOUT = 60_000;

const pictures = createQueue();
const videos = createQueue();

/** Resolves to a canvas with a thumbnail of an image, or undefined if the browser can't decode it. */
export const thumbnail = (file) => pictures(() => drawPicture(file));

/** Resolves to a canvas with the first frame of a video, or undefined if the browser lacks the codec. */
export const frame = (file) => videos(() => drawVideo(file));

function createQueue() {
  let last = Promise.resolve();
  return (work) => {
    last = last.then(work).catch(() => undefined);
    return last;
  };
}

async function drawPicture(file) {
  const bitmap = await createImageBitmap(file, { resizeWidth: 2 * SIDE, resizeQuality: "medium" });
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
      setTimeout(reject, VIDEO_TIMEOUT);
      video.src = url;
    });
    // Of some formats a browser plays only the audio.
    if (video.videoWidth > 0) return drawSquare(video, video.videoWidth, video.videoHeight);
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

/** Draws the center square of an image. */
function drawSquare(source, width, height) {
  const side = Math.min(width, height);
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  // Of many cards, a canvas each on the graphics processor would make scrolling slow.
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(source, left, top, side, side, 0, 0, SIDE, SIDE);
  return canvas;
}
