// The geometry of a viewport: position and scale of an image in a frame, in CSS pixels. `scale` is CSS pixels per image pixel.

const MAX_SCALE = 32;

export function createViewport() {
  const view = { x: 0, y: 0, scale: 1, width: 1, height: 1, onchange() {}, setFrame, setImage, fit, full, zoom, move };
  let [across, down] = [1, 1];
  let fitted = true;

  /** Device pixels per image pixel, in percent. */
  Object.defineProperty(view, "percent", { get: () => view.scale * pixelRatio() * 100 });
  return view;

  /** Changes the size of the frame. */
  function setFrame(width, height) {
    if (width === 0 || height === 0) return;
    [across, down] = [width, height];
    if (fitted) fit();
    else constrain();
  }

  /** Changes the size of the image, and fits it into the frame. */
  function setImage(width, height) {
    Object.assign(view, { width, height });
    fit();
  }

  function fit() {
    fitted = true;
    view.scale = fitScale();
    constrain();
  }

  /** Scales image pixels to device pixels, 1:1. */
  function full() {
    zoom(1 / pixelRatio() / view.scale);
  }

  /** Zooms around a point of the frame. Default: its center. */
  function zoom(factor, x = across / 2, y = down / 2) {
    const scale = Math.min(Math.max(view.scale * factor, Math.min(fitScale(), 1 / pixelRatio())), MAX_SCALE);
    const by = scale / view.scale;
    fitted = false;
    Object.assign(view, { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by });
    constrain();
  }

  function move(x, y) {
    view.x += x;
    view.y += y;
    constrain();
  }

  /** The scale at which the whole image is visible, at most 4. */
  function fitScale() {
    return Math.min(across / view.width, down / view.height, 4);
  }

  /** Centers an image smaller than the frame, and keeps a larger one covering it. */
  function constrain() {
    const place = (at, room, size) => (size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, at)));
    view.x = place(view.x, across, view.width * view.scale);
    view.y = place(view.y, down, view.height * view.scale);
    view.onchange();
  }
}

const pixelRatio = () => globalThis.devicePixelRatio || 1;
