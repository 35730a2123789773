// The sets of pictures on which benches compare encoders at equal scores, and the run of a bench's tool on them.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import sharp from "sharp";

const root = new URL("../..", import.meta.url).pathname;
const backgrounds = "/usr/share/backgrounds/mate";
const names = ["nature/Storm", "nature/FreshFlower", "nature/Garden", "nature/Wood", "abstract/Elephants", "nature/Dune"];
const photos = () => names.map((name) => join(backgrounds, `${name}.jpg`));
const pages = ["compare-dark", "compare-light", "page-dark", "page-light", "phone-dark", "phone-light"];

/** The files of a set, and how each is cut to size. */
export const kodak = () => [list(join(root, "../shared/kodak"), /\.png$/), (picture) => picture];
/** Photos of Debian's mate-backgrounds, `width` pixels wide. */
export const photosOf = (width) => () => [photos(), (picture) => picture.resize(width)];
export const screens = () => [pages.map((name) => join(root, "docs", `${name}.png`)), (picture) => picture];
/** All of mate-backgrounds that is in these folders. */
export const backgroundsIn = (folders, cut) => () => [folders.flatMap((folder) => list(join(backgrounds, folder), /^[^_]*\.jpg$/)), cut];
/** Crops of 384×256 from their middle. */
export const crops = backgroundsIn(["abstract", "nature"], (picture) => picture.resize(900).extract({ left: 258, top: 150, width: 384, height: 256 }));

function list(folder, names) {
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => join(folder, name));
}

/**
 * Runs the tool of `benches/<format>` on each set that SETS names (default: `usual`), with `words`: pictures are in <set>/*.ppm, the files of peers in
 * <set>/peers. `writePeers(rgb, { width, height }, path)` writes those of a picture that are missing; `path(peer, quality)` is where.
 */
export async function benchSets({ format, sets, usual, extension = format, words, writePeers }) {
  const cache = join(process.env.FILEPRESS_TOOLS ?? join(root, ".tools"), `bench-${format}`);
  const target = process.env.CARGO_TARGET_DIR ?? join(root, `target/bench-${format}`);
  const cargo = ["run", "--release", "--locked", "--quiet", "--manifest-path", join(root, `benches/${format}/Cargo.toml`), "--target-dir", target, "--"];
  for (const set of (process.env.SETS ?? usual).split(",")) {
    const [files, cut] = sets[set]();
    console.log(`${set}: ${files.length} pictures`);
    const folder = join(cache, set);
    mkdirSync(join(folder, "peers"), { recursive: true });
    for (const file of files) {
      const name = basename(file).replace(/\.\w+$/, "");
      const { data, info } = await cut(sharp(file).removeAlpha().toColourspace("srgb")).raw().toBuffer({ resolveWithObject: true });
      writeFileSync(join(folder, `${name}.ppm`), Buffer.concat([Buffer.from(`P6\n${info.width} ${info.height}\n255\n`), data]));
      const path = (peer, quality) => join(folder, "peers", `${name}.${peer}.${quality}.${extension}`);
      await writePeers(data, info, path, join(folder, `${name}.ppm`));
    }
    execFileSync("cargo", [...cargo, ...words(folder), ...process.argv.slice(2)], { stdio: "inherit" });
  }
}
