// Bytes of our lossy WebPs at equal scores beside libwebp's (sharp at effort 4, with plain and with sharp chroma: `smartSubsample`).
// node benches/webp/bench.mjs [WORDS OF THE TOOL…]: SETS=kodak,photos,train or some of them; files are made once, in .tools/bench-webp.
//
// kodak is ../shared/kodak, photos are those of Debian's mate-backgrounds at 1,000 pixels; train are crops of 384×256 from mate-backgrounds:
// how much luma makes up for chroma was chosen on train.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import sharp from "sharp";

const root = new URL("../..", import.meta.url).pathname;
const cache = join(process.env.FILEPRESS_TOOLS ?? join(root, ".tools"), "bench-webp");
const backgrounds = "/usr/share/backgrounds/mate";
const qualities = [8, 20, 35, 50, 60, 70, 80, 90];
const photos = ["nature/Storm", "nature/FreshFlower", "nature/Garden", "nature/Wood", "abstract/Elephants", "nature/Dune"];
const crop = { left: 258, top: 150, width: 384, height: 256 };
const peers = { libwebp: {}, "libwebp-sharp": { smartSubsample: true } };

/** The files of each set, and how they are cut to size. */
const sets = {
  kodak: () => [list(join(root, "../shared/kodak"), /\.png$/), (picture) => picture],
  photos: () => [photos.map((name) => join(backgrounds, `${name}.jpg`)), (picture) => picture.resize(1000)],
  train: () => [
    ["abstract", "nature"].flatMap((part) => list(join(backgrounds, part), /^[^_]*\.jpg$/)),
    (picture) => picture.resize(900).extract(crop),
  ],
};

function list(folder, names) {
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => join(folder, name));
}

const manifest = ["--manifest-path", join(root, "benches/webp/Cargo.toml")];
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target/bench-webp");
for (const name of (process.env.SETS ?? "kodak,photos").split(",")) {
  const [files, cut] = sets[name]();
  console.log(`${name}: ${files.length} pictures`);
  const folder = join(cache, name);
  mkdirSync(join(folder, "peers"), { recursive: true });
  for (const file of files) await prepare(file, cut, folder);
  const tool = ["run", "--release", "--locked", "--quiet", ...manifest, "--target-dir", target, "--", folder];
  execFileSync("cargo", [...tool, `peer=${Object.keys(peers)}`, ...process.argv.slice(2)], { stdio: "inherit" });
}

/** Writes a picture as PPM, and what the peers make of it, unless that is there. */
async function prepare(file, cut, folder) {
  const name = basename(file).replace(/\.\w+$/, "");
  const picture = cut(sharp(file).removeAlpha().toColourspace("srgb")).raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  const head = `P6\n${info.width} ${info.height}\n255\n`;
  writeFileSync(join(folder, `${name}.ppm`), Buffer.concat([Buffer.from(head), data]));
  const raw = { width: info.width, height: info.height, channels: 3 };
  for (const [peer, options] of Object.entries(peers)) {
    for (const quality of qualities) {
      const path = join(folder, "peers", `${name}.${peer}.${quality}.webp`);
      if (!existsSync(path)) await sharp(data, { raw }).webp({ quality, effort: 4, ...options }).toFile(path);
    }
  }
}
