// `node benches/png-large.mjs [MEGAPIXELS]`: the peak memory of PNG to PNG for a large picture (default 50 megapixels) of each color
// type, in its size and to 1600 pixels, each in a fresh process. Prints the WebAssembly memory and the resident memory of the process. Needs dist/package/.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { draw } from "./generated-pictures.mjs";
import { peakMemory } from "./memory.mjs";

const MB = 1e6;
const megapixels = Number(process.argv[2] ?? 50);
const [width, height] = [3, 2].map((side) => Math.round(side * Math.sqrt((megapixels * MB) / 6)));
/** The color types, each as a change of a photo-like picture. */
const kinds = {
  color: (image) => image.removeAlpha().png({ compressionLevel: 1 }),
  "color and alpha": (image) => image.ensureAlpha(0.5).png({ compressionLevel: 1 }),
  gray: (image) => image.removeAlpha().grayscale().png({ compressionLevel: 1 }),
  palette: (image) => image.removeAlpha().png({ palette: true, colors: 256, effort: 1 }),
};

const folder = mkdtempSync(join(tmpdir(), "filepress-bench-"));
try {
  const [small, raw] = [draw("landscape", 900, 600), { width: 900, height: 600, channels: 4 }];
  const rows = {};
  for (const [kind, write] of Object.entries(kinds)) {
    const file = join(folder, `${kind}.png`);
    const image = sharp(small, { raw }).removeAlpha().resize(width, height, { fit: "fill" });
    writeFileSync(file, await write(image).toBuffer());
    const { wasm, process } = await peakMemory("filepress", { id: "png" }, undefined, file);
    const shrunk = await peakMemory("filepress", { id: "png", width: 1600 }, undefined, file);
    rows[kind] = { "input MB": statSync(file).size / MB, "wasm MB": wasm / MB, "process MB": process / MB, "to 1600 px, wasm MB": shrunk.wasm / MB };
  }
  for (const row of Object.values(rows)) for (const key of Object.keys(row)) row[key] = Number(row[key].toFixed(1));
  console.log(`${width} × ${height} pixels`);
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true });
}
