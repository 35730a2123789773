// How a picture lies in a frame: pure numbers, in CSS pixels. `scale` is CSS pixels to a pixel of the picture.

const MOST = 32;

export function createView() {
  const view = { x: 0, y: 0, scale: 1, width: 1, height: 1, onchange() {}, frame, picture, fit, full, zoom, move };
  let [across, down] = [1, 1];
  let fitted = true;

  /** Device pixels to a pixel of the picture, in percent. */
  Object.defineProperty(view, "percent", { get: () => view.scale * pixelRatio() * 100 });
  return view;

  /** The frame has another size. */
  function frame(width, height) {
    if (width === 0 || height === 0) return;
    [across, down] = [width, height];
    if (fitted) fit();
    else settle();
  }

  /** Another picture, which is shown whole. */
  function picture(width, height) {
    Object.assign(view, { width, height });
    fit();
  }

  function fit() {
    fitted = true;
    view.scale = least();
    settle();
  }

  /** A pixel of the picture is one of the screen. */
  function full() {
    zoom(1 / pixelRatio() / view.scale);
  }

  /** Magnifies about a point of the frame, its middle unless given. */
  function zoom(factor, x = across / 2, y = down / 2) {
    const scale = Math.min(Math.max(view.scale * factor, Math.min(least(), 1 / pixelRatio())), MOST);
    const by = scale / view.scale;
    fitted = false;
    Object.assign(view, { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by });
    settle();
  }

  function move(x, y) {
    view.x += x;
    view.y += y;
    settle();
  }

  /** The scale at which all of it is seen; small pictures are not blown up beyond four times. */
  function least() {
    return Math.min(across / view.width, down / view.height, 4);
  }

  /** What is smaller than the frame stands in its middle, what is larger covers it. */
  function settle() {
    const place = (at, room, size) => (size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, at)));
    view.x = place(view.x, across, view.width * view.scale);
    view.y = place(view.y, down, view.height * view.scale);
    view.onchange();
  }
}

const pixelRatio = () => globalThis.devicePixelRatio || 1;
