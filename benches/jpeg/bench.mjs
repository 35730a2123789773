// Bytes of our JPEGs at equal scores beside mozjpeg's: jSquash, sharp, and the crate mozjpeg-rs.
// node benches/jpeg/bench.mjs [WORDS OF THE TOOL…]: SETS=kodak,large,train or some of them; files are made once, in .tools/bench-jpeg.
//
// kodak is ../shared/kodak, large are photos of Debian's mate-backgrounds at 2,000 pixels, train are all of them at 640:
// the encoder's constants were chosen on train, crops of its photos and others; kodak was used for the scale of `quality` alone.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { backgroundsIn, benchSets, kodak, photosOf } from "../bd-rate/pictures.mjs";

const root = new URL("../..", import.meta.url).pathname;
const qualities = [30, 45, 60, 70, 80, 85, 90, 95];
const encode = await mozjpeg();

await benchSets({
  format: "jpeg",
  extension: "jpg",
  sets: { kodak, large: photosOf(2000), train: backgroundsIn(["abstract", "nature", "desktop"], (picture) => picture.resize(640)) },
  usual: "kodak,large",
  words: (folder) => ["bench", folder, "peer=mozjpeg-rs,jsquash,sharp"],
  async writePeers(rgb, { width, height }, path) {
    for (const quality of qualities) {
      const [jsquash, mozjpeg] = [path("jsquash", quality), path("sharp", quality)];
      if (!existsSync(jsquash)) writeFileSync(jsquash, await encode(rgb, { width, height }, quality));
      if (!existsSync(mozjpeg)) await sharp(rgb, { raw: { width, height, channels: 3 } }).jpeg({ quality, mozjpeg: true }).toFile(mozjpeg);
    }
  },
});

/** jSquash's encoder. */
async function mozjpeg() {
  globalThis.ImageData ??= class {};
  const { default: encoder, init } = await import("@jsquash/jpeg/encode.js");
  const wasm = join(root, "node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm");
  await init(await WebAssembly.compile(readFileSync(wasm)));
  return async (rgb, { width, height }, quality) => {
    const data = new Uint8ClampedArray(4 * width * height).fill(255);
    for (let at = 0; at < width * height; at += 1) data.set(rgb.subarray(3 * at, 3 * at + 3), 4 * at);
    return new Uint8Array(await encoder({ data, width, height }, { quality }));
  };
}
