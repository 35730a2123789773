// Color difference by CIEDE2000 (CIE 142-2001), with the formulas of Sharma, Wu and Dalal (2005).

const { abs, atan2, cbrt, cos, exp, hypot, PI, sin, sqrt } = Math;
const radians = (degrees) => (degrees * PI) / 180;

/** CIE Lab under D65 of a color in sRGB, 0..255. */
function lab(red, green, blue) {
  const [r, g, b] = [red, green, blue].map((level) => level / 255).map((level) => (level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4));
  const shares = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.072175 * b,
    (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
  ];
  const [x, y, z] = shares.map((share) => (share > 216 / 24389 ? cbrt(share) : ((24389 / 27) * share + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The difference of two colors in CIE Lab; 1 can just be seen. */
export function deltaE([l1, a1, b1], [l2, a2, b2]) {
  const seventh = (chroma) => sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const stretch = 1.5 - seventh((hypot(a1, b1) + hypot(a2, b2)) / 2) / 2;
  const [c1, c2] = [hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)];
  const hue = (a, b) => (a === 0 && b === 0 ? 0 : ((atan2(b, a) * 180) / PI + 360) % 360);
  const [h1, h2] = [hue(a1 * stretch, b1), hue(a2 * stretch, b2)];
  const gray = c1 * c2 === 0;

  let turn = gray ? 0 : h2 - h1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  let h = h1 + h2;
  if (!gray && abs(h1 - h2) > 180) h += h < 360 ? 360 : -360;
  if (!gray) h /= 2;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];

  const wave = (times, shift) => cos(radians(times * h + shift));
  const t = 1 - 0.17 * wave(1, -30) + 0.24 * wave(2, 0) + 0.32 * wave(3, 6) - 0.2 * wave(4, -63);
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / sqrt(20 + (l - 50) ** 2));
  const chroma = (c2 - c1) / (1 + 0.045 * c);
  const hues = (2 * sqrt(c1 * c2) * sin(radians(turn / 2))) / (1 + 0.015 * c * t);
  const rotation = -sin(radians(60 * exp(-(((h - 275) / 25) ** 2)))) * 2 * seventh(c);
  return sqrt(lightness ** 2 + chroma ** 2 + hues ** 2 + rotation * chroma * hues);
}

/** The mean difference of two opaque pictures of one size, as in pictures.mjs. */
export function meanDeltaE(one, other) {
  let sum = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    sum += deltaE(lab(...one.data.subarray(at, at + 3)), lab(...other.data.subarray(at, at + 3)));
  }
  return sum / (one.data.length / 4);
}
