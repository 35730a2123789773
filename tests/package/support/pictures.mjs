// Generated pixels: { width, height, data }, data being RGBA with 8 bits per channel. The same seed gives the same
// pixels.
import { seed } from "./seed.mjs";

/** Numbers in 0..1 that look random; the same seed gives the same numbers (mulberry32). */
export function random(own) {
  let state = seed(own);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Paints `color(x, y)`, which returns [r, g, b] or [r, g, b, a]. */
export function paint(width, height, color) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const [red, green, blue, alpha = 255] = color(x, y);
      data.set([red, green, blue, alpha], at);
    }
  }
  return { width, height, data: new Uint8Array(data.buffer) };
}

/** Gradients, soft waves, hard edges and noise: enough of each to move every part of a codec. */
export function photo(width, height, own = 1) {
  const noise = random(own);
  return paint(width, height, (x, y) => {
    const grain = (noise() - 0.5) * 24;
    const wave = 40 * Math.sin(x / 17) * Math.cos(y / 23);
    const inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < (Math.min(width, height) / 4) ** 2;
    const light = inside ? 70 : 0;
    return [(255 * x) / width + wave + grain, (255 * y) / height - wave + grain + light, 130 + wave + grain - light];
  });
}

/** The photo with an alpha channel: clear at the left, soft, opaque at the right. */
export function glass(width, height) {
  const { data } = photo(width, height, 2);
  return paint(width, height, (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3), (400 * x) / width - 70]);
}

/** A drawing of few flat colors, as palettes are made for. */
export function drawing(width, height) {
  const inks = [[250, 250, 245], [20, 30, 60], [210, 60, 40], [240, 190, 50], [70, 140, 90]];
  return paint(width, height, (x, y) => inks[(Math.floor(x / 13) * 3 + Math.floor(y / 9) * 5 + (x > y ? 1 : 0)) % inks.length]);
}

/** Quarters of four colors, so that every turn and every mirroring can be told apart. */
export function quarters(width, height) {
  return paint(width, height, (x, y) => {
    const [left, top] = [x < width / 2, y < height / 2];
    if (top) return left ? [220, 30, 30] : [30, 200, 30];
    return left ? [30, 30, 220] : [230, 220, 40];
  });
}

export const isOpaque = ({ data }) => data.every((value, index) => index % 4 !== 3 || value === 255);
