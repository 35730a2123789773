// Generated pictures for the screenshots, free of others' rights: misty hills under a sun, in the colors of a time of
// day.
import sharp from "sharp";

/** Sky at the top and above the hills, sun, the nearest hills. */
const TIMES = {
  dawn: ["#2b3a67", "#f2b5a7", "#ffe3c2", "#1d2440"],
  noon: ["#4f9bd9", "#d9ecf5", "#fffbe8", "#1f5a4a"],
  harvest: ["#7fb2c9", "#f6dfa4", "#fff3cf", "#6b4a1f"],
  dusk: ["#1f1c3d", "#e0694f", "#ffd08a", "#1b1230"],
  night: ["#070d1f", "#2e4a72", "#eef3ff", "#04070f"],
  mist: ["#9fb1b8", "#e6ecec", "#ffffff", "#3d5157"],
  spring: ["#8ecae6", "#e9f5db", "#fff7d6", "#386641"],
  desert: ["#d08c60", "#f7e1c8", "#fff6ea", "#7a3b1f"],
};

export const times = Object.keys(TIMES);

/** A landscape as a JPEG of high quality, with the grain of a camera. `shift` moves hills and sun. */
export async function landscape(time, { width = 2400, height = 1600, shift = 0 } = {}) {
  const [top, low, sun, near] = TIMES[time];
  const layers = [0, 1, 2, 3, 4].map((layer) => hills(layer, shift, width, height, mixed(low, near, (layer + 1) / 5)));
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset=".62" stop-color="${low}"/></linearGradient>
    <radialGradient id="sun"><stop offset=".26" stop-color="${sun}"/><stop offset=".3" stop-color="${sun}" stop-opacity=".45"/>
      <stop offset="1" stop-color="${sun}" stop-opacity="0"/></radialGradient>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${width * (0.3 + (shift % 5) * 0.1)}" cy="${height * 0.34}" r="${height * 0.24}" fill="url(#sun)"/>
    ${layers.join("")}</svg>`;
  const grain = await sharp({
    create: { width, height, channels: 3, background: "#808080", noise: { type: "gaussian", mean: 128, sigma: 6 } },
  })
    .png()
    .toBuffer();
  return sharp(Buffer.from(drawing))
    .removeAlpha()
    .composite([{ input: grain, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A ridge of three waves; the nearer, the lower and the steeper. */
function hills(layer, shift, width, height, color) {
  const base = height * (0.5 + layer * 0.1);
  const rise = (x) =>
    [1, 2.3, 5.1].reduce((sum, wave) => sum + Math.sin((x / width) * 6 * wave + layer * 2.1 + shift * 1.7 * wave) / wave, 0);
  const points = Array.from({ length: 121 }, (_, index) => {
    const x = (index / 120) * width;
    return `${x.toFixed(1)} ${(base - rise(x) * height * (0.035 + layer * 0.008)).toFixed(1)}`;
  });
  return `<path d="M0 ${height} L${points.join(" L")} L${width} ${height}Z" fill="${color}"/>`;
}

function mixed(one, other, share) {
  const channels = (color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [from, to] = [channels(one), channels(other)];
  return `rgb(${from.map((value, index) => Math.round(value + (to[index] - value) * share)).join(",")})`;
}
