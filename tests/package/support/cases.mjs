// Calls whose results are compared between runtimes: { name, bytes, options }.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { samples } from "./samples.mjs";

/** Debian's package mate-backgrounds, which set-up installs. */
const PHOTOS = "/usr/share/backgrounds/mate/nature";

const outputs = ["jpeg", "png", "webp", "gif", "bmp", "ico", "pnm", "tga", "qoi", "farbfeld"];

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
    { resize: { width: 100, height: 100, fit: "contain" }, to: "png" },
    { to: "webp", quality: 30, effort: 6 },
    { to: "webp", quality: 95, effort: 0 },
    { to: "webp", lossless: true },
    { to: "png", quality: 60 },
    { to: "gif", quality: 40 },
  ],
  "rgba.png": [
    { to: "jpeg", background: "#369", quality: 90 },
    { to: "webp", quality: 40 },
    { to: "webp", lossless: true },
    { quality: 30 },
    { quality: 95, effort: 1 },
    { resize: { width: 123 } },
    { resize: { maxWidth: 60, maxHeight: 60 }, to: "webp" },
  ],
  "deep.png": [{ to: "jpeg" }, { to: "webp" }, { to: "farbfeld" }, { resize: { width: 99 } }, { effort: 9, resize: { width: 48 } }],
  "wide-gamut.jpg": [{ to: "gif" }, { to: "qoi" }, { to: "png", metadata: "strip", resize: { width: 111 } }],
  "cmyk.jpg": [{ to: "png" }, { resize: { width: 90 }, to: "webp" }],
  "grey.png": [{ to: "jpeg" }, { to: "webp" }, { resize: { height: 61 } }, { effort: 9, resize: { height: 30 } }],
  "alpha.bmp": [{ to: "webp", lossless: true, resize: { width: 160 } }],
  "palette.png": [{ quality: 80, effort: 9 }],
};

/** Every sample as it is, a photo and a picture with alpha into every type, and the settings above. */
export async function generatedCases() {
  const inputs = await samples([320, 208]);
  const calls = [
    ...[...inputs.keys()].map((name) => [name, {}]),
    ...outputs.flatMap((to) => ["progressive.jpg", "lossy-alpha.webp"].map((name) => [name, { to }])),
    ...Object.entries(settings).flatMap(([name, list]) => list.map((options) => [name, options])),
  ];
  return calls.map(([name, options]) => ({ name: `${name} ${JSON.stringify(options)}`, bytes: inputs.get(name), options }));
}

/** Real photographs, made small enough for a test, in each of the lossy types. */
export function photoCases() {
  const names = readdirSync(PHOTOS).filter((name) => name.endsWith(".jpg"));
  const options = [{}, { to: "webp" }, { to: "png", quality: 70 }].map((to) => ({ ...to, resize: { maxWidth: 512, maxHeight: 512 } }));
  const cases = names.map((name, index) => ({ name, options: options[index % options.length] }));
  cases.push({ name: "FreshFlower.jpg", options: {} }, { name: "FreshFlower.jpg", options: { to: "webp" } });
  return cases.map(({ name, options }) => ({ name: `${name} ${JSON.stringify(options)}`, bytes: readFileSync(join(PHOTOS, name)), options }));
}
