// Bytes of our JPEGs at equal scores beside mozjpeg's: jSquash, sharp, and the crate mozjpeg-rs.
// node benches/jpeg/bench.mjs [WORDS OF THE TOOL…]: SETS=kodak,large,train or some of them; files are made once, in .tools/bench-jpeg.
//
// kodak is ../shared/kodak, large are photos of Debian's mate-backgrounds at 2,000 pixels, train are all of them at 640:
// the encoder's constants were chosen on train, crops of its photos and others; kodak was used for the scale of `quality` alone.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import sharp from "sharp";

const root = new URL("../..", import.meta.url).pathname;
const cache = join(process.env.FILEPRESS_TOOLS ?? join(root, ".tools"), "bench-jpeg");
const backgrounds = "/usr/share/backgrounds/mate";
const qualities = [30, 45, 60, 70, 80, 85, 90, 95];
const large = ["nature/Storm", "nature/FreshFlower", "nature/Garden", "nature/Wood", "abstract/Elephants", "nature/Dune"];

/** The files of each set, and the width that they are reduced to. */
const sets = {
  kodak: () => [list(join(root, "../shared/kodak"), /\.png$/), undefined],
  large: () => [large.map((name) => join(backgrounds, `${name}.jpg`)), 2000],
  train: () => [["abstract", "nature", "desktop"].flatMap((part) => list(join(backgrounds, part), /^[^_]*\.jpg$/)), 640],
};

function list(folder, names) {
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => join(folder, name));
}

const encode = await mozjpeg();
const manifest = ["--manifest-path", join(root, "benches/jpeg/Cargo.toml"), "--target-dir", join(root, "target/bench-jpeg")];
const tool = ["run", "--release", "--locked", "--quiet", ...manifest, "--", "bench"];
for (const name of (process.env.SETS ?? "kodak,large").split(",")) {
  const [files, width] = sets[name]();
  console.log(`${name}: ${files.length} pictures`);
  const folder = join(cache, name);
  mkdirSync(join(folder, "peers"), { recursive: true });
  for (const file of files) await prepare(file, width, folder);
  execFileSync("cargo", [...tool, folder, "peer=mozjpeg-rs,jsquash,sharp", ...process.argv.slice(2)], { stdio: "inherit" });
}

/** Writes a picture as PPM, and what the peers make of it, unless that is there. */
async function prepare(file, width, folder) {
  const name = basename(file).replace(/\.\w+$/, "");
  const picture = sharp(file).resize(width).removeAlpha().toColourspace("srgb").raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  const head = `P6\n${info.width} ${info.height}\n255\n`;
  writeFileSync(join(folder, `${name}.ppm`), Buffer.concat([Buffer.from(head), data]));
  for (const quality of qualities) {
    const target = (peer) => join(folder, "peers", `${name}.${peer}.${quality}.jpg`);
    if (!existsSync(target("jsquash"))) writeFileSync(target("jsquash"), await encode(data, info, quality));
    if (existsSync(target("sharp"))) continue;
    const raw = { width: info.width, height: info.height, channels: 3 };
    await sharp(data, { raw }).jpeg({ quality, mozjpeg: true }).toFile(target("sharp"));
  }
}

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
