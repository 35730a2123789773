// The picture that is laid over images. Plans name it by a key, so that equal plans mean equal results; calls get the file.

/** Files that were chosen since the page was opened, by key: earlier results can be asked for again. */
const files = new Map();
/** The key of the file in use; undefined if there is none. */
let current;

/** Uses a file, or none. */
export function setWatermark(file) {
  current = file && `${files.size + 1} ${file.name}`;
  if (file) files.set(current, file);
}

/** The key of the file in use, for the `image` of an overlay. */
export const watermarkKey = () => current;

/** Options of a plan as the package takes them. */
export function withWatermark({ overlay, ...options }) {
  return overlay ? { ...options, overlay: { ...overlay, image: files.get(overlay.image) } } : options;
}
