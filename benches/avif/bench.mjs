// Bytes of our AV1 stills at equal scores beside libaom's (sharp at effort 3, 4:2:0 and 4:4:4), and beside those of another package of ours.
// node benches/avif/bench.mjs [WORDS OF THE TOOL…]: SETS=kodak,photos,screens,train or some of them, OTHER=FOLDER of that package, as
// `make package` leaves it in dist/package. The files of sharp are made once, in .tools/bench-avif.
//
// kodak is ../shared/kodak, photos are those of Debian's mate-backgrounds at 1,000 pixels, screens are the screenshots of docs/; train are
// crops of 384×256 from mate-backgrounds: the encoder's constants are chosen on train alone.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import sharp from "sharp";

const root = new URL("../..", import.meta.url).pathname;
const cache = join(process.env.FILEPRESS_TOOLS ?? join(root, ".tools"), "bench-avif");
const backgrounds = "/usr/share/backgrounds/mate";
const qualities = [8, 20, 35, 50, 60, 70, 80, 90];
const otherQualities = [20, 40, 60, 80, 95];
const photos = ["nature/Storm", "nature/FreshFlower", "nature/Garden", "nature/Wood", "abstract/Elephants", "nature/Dune"];
const pages = ["compare-dark", "compare-light", "page-dark", "page-light", "phone-dark", "phone-light"];
const crops = { width: 384, height: 256 };

/** The files of each set, and how they are cut to size. */
const sets = {
  kodak: () => [list(join(root, "../shared/kodak"), /\.png$/), (picture) => picture],
  photos: () => [photos.map((name) => join(backgrounds, `${name}.jpg`)), (picture) => picture.resize(1000)],
  screens: () => [pages.map((name) => join(root, "docs", `${name}.png`)), (picture) => picture],
  train: () => [
    ["abstract", "nature"].flatMap((part) => list(join(backgrounds, part), /^[^_]*\.jpg$/)),
    (picture) => picture.resize(900).extract({ left: 258, top: 150, ...crops }),
  ],
};

function list(folder, names) {
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => join(folder, name));
}

const { compress } = process.env.OTHER ? await import(resolve(process.env.OTHER, "index.node.js")) : {};
const peers = [`peer=sharp420,sharp444${compress ? ",other" : ""}`];
const manifest = ["--manifest-path", join(root, "benches/avif/Cargo.toml")];
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target/bench-avif");
for (const name of (process.env.SETS ?? "kodak,photos,screens").split(",")) {
  const [files, cut] = sets[name]();
  console.log(`${name}: ${files.length} pictures`);
  const folder = join(cache, name);
  mkdirSync(join(folder, "peers"), { recursive: true });
  for (const file of files) await prepare(file, cut, folder);
  const tool = ["run", "--release", "--locked", "--quiet", ...manifest, "--target-dir", target, "--", folder];
  execFileSync("cargo", [...tool, ...peers, ...process.argv.slice(2)], { stdio: "inherit" });
}

/** Writes a picture as PPM, and what the peers make of it, unless that is there. Of the other package it may be that of another one. */
async function prepare(file, cut, folder) {
  const name = basename(file).replace(/\.\w+$/, "");
  const path = (peer, quality) => join(folder, "peers", `${name}.${peer}.${quality}.avif`);
  const ppm = join(folder, `${name}.ppm`);
  const picture = cut(sharp(file).removeAlpha().toColourspace("srgb")).raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  if (!existsSync(ppm)) writeFileSync(ppm, Buffer.concat([Buffer.from(`P6\n${info.width} ${info.height}\n255\n`), data]));
  const raw = { width: info.width, height: info.height, channels: 3 };
  for (const [peer, chromaSubsampling] of Object.entries({ sharp420: "4:2:0", sharp444: "4:4:4" })) {
    for (const quality of qualities.filter((quality) => !existsSync(path(peer, quality)))) {
      await sharp(data, { raw }).avif({ quality, effort: 3, chromaSubsampling }).toFile(path(peer, quality));
    }
  }
  if (!compress) return;
  for (const quality of otherQualities) {
    const made = await compress(readFileSync(ppm), { to: "avif", quality });
    writeFileSync(path("other", quality), Buffer.from(await made.blob.arrayBuffer()));
  }
}
