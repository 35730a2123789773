// The geometry of a viewport: position and scale of an image in a frame, in CSS pixels.

const MAX_SCALE = 32;

export class Viewport {
  /** Position of the image in the frame. */
  x = 0;
  y = 0;
  /** CSS pixels per image pixel. */
  scale = 1;
  /** Size of the image. */
  width = 1;
  height = 1;
  /** Called after each change. */
  onchange = () => {};
  #across = 1;
  #down = 1;
  #fitted = true;

  /** Device pixels per image pixel, in percent. */
  get percent() {
    return this.scale * pixelRatio() * 100;
  }

  /** Changes the size of the frame. */
  setFrame(width, height) {
    if (width === 0 || height === 0) return;
    [this.#across, this.#down] = [width, height];
    if (this.#fitted) this.fit();
    else this.#constrain();
  }

  /** Changes the size of the image, and fits it into the frame. */
  setImage(width, height) {
    Object.assign(this, { width, height });
    this.fit();
  }

  fit() {
    this.#fitted = true;
    this.scale = this.#fitScale();
    this.#constrain();
  }

  /** Scales image pixels to device pixels, 1:1. */
  full() {
    this.zoom(1 / pixelRatio() / this.scale);
  }

  /** Zooms around a point of the frame. Default: its center. */
  zoom(factor, x = this.#across / 2, y = this.#down / 2) {
    const scale = Math.min(Math.max(this.scale * factor, Math.min(this.#fitScale(), 1 / pixelRatio())), MAX_SCALE);
    const by = scale / this.scale;
    this.#fitted = false;
    Object.assign(this, { scale, x: x - (x - this.x) * by, y: y - (y - this.y) * by });
    this.#constrain();
  }

  move(x, y) {
    this.x += x;
    this.y += y;
    this.#constrain();
  }

  /** The scale at which the whole image is visible, at most 4. */
  #fitScale() {
    return Math.min(this.#across / this.width, this.#down / this.height, 4);
  }

  /** Centers an image smaller than the frame, and keeps a larger one covering it. */
  #constrain() {
    const place = (at, room, size) => (size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, at)));
    this.x = place(this.x, this.#across, this.width * this.scale);
    this.y = place(this.y, this.#down, this.height * this.scale);
    this.onchange();
  }
}

const pixelRatio = () => globalThis.devicePixelRatio || 1;
