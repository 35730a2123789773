// Generated pictures for machines without photographs: a landscape with camera noise, a drawing with soft edges and
// gradients, and a badge that fades to transparency. They are the same on every machine, because only + − × ÷ and
// integers are used.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What can be drawn, each at any size: a function that starts a drawing, whose pixels are then asked for row by row. */
const drawings = { landscape, shapes: () => shapes, badge: () => badge };

/** Writes one of each as PAM files into a folder. @returns {string[]} their paths. */
export function drawPictures(folder) {
  return [
    ["landscape", 600, 400],
    ["shapes", 640, 480],
    ["badge", 360, 360],
  ].map(([name, width, height]) => {
    const path = join(folder, `drawn-${name}.pam`);
    const head = `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`;
    writeFileSync(path, Buffer.concat([Buffer.from(head), draw(name, width, height)]));
    return path;
  });
}

/** @param {"landscape" | "shapes" | "badge"} name @returns {Buffer} RGBA, 8 bit, row by row. */
export function draw(name, width, height) {
  const color = drawings[name]();
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) pixels.set(color(x / width, y / height), at);
  }
  return Buffer.from(pixels.buffer);
}

/** Up and down between −1 and 1, once a unit, in parabolas. */
function wave(t) {
  const part = t - Math.floor(t);
  return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part);
}

function landscape() {
  let seed = 7;
  return (u, v) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const grain = (seed >>> 28) - 7.5;
    const hill = 0.55 + 0.1 * wave(u * 1.4) + 0.05 * wave(u * 3.7 + 0.2);
    const leaves = 18 * wave(u * 11 + 0.5 * wave(v * 5)) * wave(v * 14);
    const [r, g, b] =
      v < hill ? [110 + 80 * v, 150 + 60 * v, 215 - 20 * u] : [70 + 40 * u + leaves, 95 - 50 * v + leaves * 1.3, 45 + leaves * 0.6];
    return [r + grain, g + grain, b + grain, 255];
  };
}

function shapes(u, v) {
  let color = [245 - 30 * v, 240 - 10 * u, 230 + 20 * u];
  for (let index = 0; index < 12; index += 1) {
    const [x, y] = [((index * 37) % 100) / 100, ((index * 61 + 20) % 100) / 100];
    const [dx, dy] = [(u - x) * 4, (v - y) * 3];
    const inside = Math.min(1, Math.max(0, (0.36 + 0.02 * index - dx * dx - dy * dy) * 40));
    const own = [(index * 83) % 256, 90 + 100 * dy, (index * 151) % 256];
    color = color.map((part, channel) => part + (own[channel] - part) * inside);
  }
  return [...color, 255];
}

function badge(u, v) {
  const [dx, dy] = [u - 0.5, v - 0.5];
  const distance = 4 * (dx * dx + dy * dy);
  const stripe = wave(u * 6 + v * 4) > 0 ? 40 : 0;
  return [220 - 120 * distance + stripe, 60 + 140 * v, 90 + 100 * u - stripe, 255 * Math.min(1, Math.max(0, (0.9 - distance) * 3))];
}
