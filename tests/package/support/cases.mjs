// Calls whose results are compared between runtimes: { name, bytes, options }.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nested } from "./formats/svg.mjs";
import { coreSampleNames, samples } from "./samples.mjs";

/** Debian's package mate-backgrounds, which set-up installs. */
const PHOTOS = "/usr/share/backgrounds/mate/nature";

const outputs = ["jpeg", "png", "webp", "gif", "bmp", "ico", "pnm", "tga", "qoi", "farbfeld", "avif", "tiff", "exr", "hdr", "dds"];

const settings = {
  "baseline.jpg": [
    { quality: 1 },
    { quality: 50 },
    { quality: 100 },
    { lossless: true },
    { effort: 0 },
    { effort: 9 },
    { resize: { width: 77 } },
    { resize: { width: 640 } },
    { resize: { width: 100, height: 100, fit: "cover" }, to: "webp" },
    { resize: { width: 100, height: 100, fit: "inside" }, to: "png" },
    { resize: { width: 90, height: 90, fit: "outside" }, to: "webp" },
    { resize: { width: 40, height: 90, fit: "cover", position: "top right" } },
    { resize: { width: 40, height: 90, fit: "cover", position: "attention" } },
    { resize: { width: 90, height: 40, fit: "cover", position: "entropy" }, to: "webp" },
    { resize: { width: 90, height: 90, fit: "contain" } },
    { resize: { width: 90, height: 90, fit: "contain", position: "bottom" }, background: "#369", to: "webp" },
    { resize: { width: 90, height: 90, fit: "contain", position: "right" }, to: "webp" },
    { crop: { x: 11, y: 5, width: 90, height: 77 } },
    { crop: { x: "12.5%", y: "10%", width: "50%", height: "60%" }, rotate: 90, resize: { width: 33 }, to: "webp" },
    { rotate: 180, flip: "vertical", lossless: true },
    { crop: { x: 16, y: 16, width: 70, height: 50 }, lossless: true },
    { to: "webp", quality: 30, effort: 6 },
    { to: "webp", quality: 95, effort: 0 },
    { to: "webp", lossless: true },
    { to: "png", quality: 60 },
    { to: "gif", quality: 40 },
    { to: "avif", quality: 30, effort: 6, resize: { width: 120 } },
    { to: "dds", quality: 80 },
    { to: "exr", quality: 80 },
    { targetSize: 3000 },
    { to: "webp", targetSize: 1500 },
    { to: "png", targetSize: 9000 },
    { to: "avif", targetSize: 1200, resize: { maxWidth: 120 } },
    { quality: "auto" },
    { to: "webp", quality: "auto", minScore: 60 },
    { to: "png", quality: "auto" },
    { to: "avif", quality: "auto", resize: { width: 120 } },
  ],
  "rgba.png": [
    { to: "jpeg", background: "#369", quality: 90 },
    { to: "webp", quality: 40 },
    { to: "webp", lossless: true },
    { quality: 30 },
    { quality: 95, effort: 1 },
    { resize: { width: 123 } },
    { resize: { maxWidth: 60, maxHeight: 60 }, to: "webp" },
    { resize: { width: 70, height: 90, fit: "contain" } },
    { resize: { width: 70, height: 190, fit: "cover", position: "attention" } },
  ],
  "deep.png": [{ resize: { width: 90, height: 99, fit: "contain" } }, { to: "jpeg" }, { to: "webp" }, { to: "farbfeld" }, { resize: { width: 99 } }, { effort: 9, resize: { width: 48 } }],
  "wide-gamut.jpg": [{ to: "gif" }, { to: "qoi" }, { to: "png", metadata: "strip", resize: { width: 111 } }],
  "cmyk.jpg": [{ to: "png" }, { resize: { width: 90 }, to: "webp" }],
  "gray.png": [{ resize: { width: 90, height: 90, fit: "contain" }, background: "#369" }, { to: "jpeg" }, { to: "webp" }, { resize: { height: 61 } }, { effort: 9, resize: { height: 20 } }],
  "alpha.bmp": [{ to: "webp", lossless: true, resize: { width: 160 } }],
  "palette.png": [{ quality: 80, effort: 9, resize: { width: 48 } }],
  "animated.gif": [{ to: "webp" }, { resize: { width: 50 } }, { quality: 50 }, { to: "webp", targetSize: 1500 }, { animation: "first" }],
  "animated.webp": [{ to: "gif" }, { resize: { width: 50 } }, { lossless: true }],
  "animated.png": [{ to: "gif" }, { to: "webp" }, { to: "jpeg" }],
  "lossy.avif": [{ to: "png" }, { to: "jpeg", resize: { width: 90 } }],
  "deep.avif": [{ to: "png" }],
  "deep.tiff": [{ to: "png" }, { to: "exr" }, { resize: { width: 77 } }],
  "float.tiff": [{ to: "jpeg" }, { to: "hdr" }],
  "inks.tiff": [{ to: "png" }],
  "pages.tiff": [{ resize: { width: 40 } }, { resize: { width: 20, height: 60, fit: "cover", position: "entropy" } }, { to: "png" }],
  "plain.exr": [{ to: "png" }, { to: "hdr" }, { resize: { width: 77 } }],
  "bright.hdr": [{ resize: { width: 40, height: 90, fit: "cover", position: "attention" } }, { to: "png" }, { to: "jpeg", resize: { width: 90 } }, { to: "exr" }],
  "alpha.dds": [{ to: "webp" }, { quality: 90 }],
  "drawn.svg": [{ to: "png", resize: { width: 40, height: 300, fit: "cover", position: "attention" } }, { to: "png", resize: { width: 500 } }, { to: "avif", resize: { width: 120 } }],
  "written.svg": [{ to: "png", resize: { width: 700 } }, { to: "jpeg" }],
};

/** Nearly as deep as a drawing may be: a renderer steps into itself each time, on the stack that its host has. */
const depths = { groups: 190, layers: 190, links: 190, uses: 40, patterns: 35, clips: 190 };

function nestedCases() {
  return Object.entries(depths).flatMap(([how, depth]) =>
    [{ to: "png" }, {}].map((options) => ({ name: `${depth} ${how} ${JSON.stringify(options)}`, bytes: nested(how, depth), options })),
  );
}

/** JPEGs whose coefficients are multiplied by the largest quantizers: transforms get numbers that no encoder of a picture writes. */
function loudCases(inputs) {
  const calls = [{ to: "bmp" }, { to: "bmp", resize: { width: 90 } }, { to: "bmp", resize: { width: 40 } }, {}];
  return ["baseline.jpg", "progressive.jpg"].flatMap((name) =>
    calls.map((options) => ({ name: `${name} with quantizers of 255 ${JSON.stringify(options)}`, bytes: withLargestQuantizers(inputs.get(name)), options })),
  );
}

/** Sets all of the quantization tables (ITU-T T.81, B.2.4.1), which have 8 bits a value. */
function withLargestQuantizers(bytes) {
  const loud = Uint8Array.from(bytes);
  const length = (at) => loud[at + 2] * 256 + loud[at + 3];
  for (let at = 2; loud[at + 1] !== 0xda; at += 2 + length(at)) {
    if (loud[at + 1] !== 0xdb) continue;
    for (let table = at + 4; table < at + 2 + length(at); table += 65) loud.fill(255, table + 1, table + 65);
  }
  return loud;
}

/** Every sample as it is, a photo and a picture with alpha into every type, the settings, the quantizers and the nestings above. */
export async function generatedCases() {
  // AVIF takes its time.
  const inputs = new Map([...(await samples([160, 104])), ...(await samples([320, 208], coreSampleNames))]);
  const calls = [
    ...[...inputs.keys()].map((name) => [name, {}]),
    ...outputs.flatMap((to) => ["progressive.jpg", "lossy-alpha.webp"].map((name) => [name, { to }])),
    ...Object.entries(settings).flatMap(([name, list]) => list.map((options) => [name, options])),
  ];
  const named = calls.map(([name, options]) => ({ name: `${name} ${JSON.stringify(options)}`, bytes: inputs.get(name), options }));
  return [...named, ...loudCases(inputs), ...nestedCases()];
}

/** Real photographs, made small enough for a test, in each of the lossy types. */
export function photoCases() {
  const names = readdirSync(PHOTOS).filter((name) => name.endsWith(".jpg"));
  const options = [{}, { to: "webp" }, { to: "png", quality: 70 }].map((to) => ({ ...to, resize: { maxWidth: 512, maxHeight: 512 } }));
  const cases = names.map((name, index) => ({ name, options: options[index % options.length] }));
  cases.push({ name: "FreshFlower.jpg", options: {} }, { name: "FreshFlower.jpg", options: { to: "webp" } });
  return cases.map(({ name, options }) => ({ name: `${name} ${JSON.stringify(options)}`, bytes: readFileSync(join(PHOTOS, name)), options }));
}
