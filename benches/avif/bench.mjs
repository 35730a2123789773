// Bytes of our AV1 stills at equal scores beside libaom's (sharp at effort 3, 4:2:0 and 4:4:4), and beside those of another package of ours.
// node benches/avif/bench.mjs [WORDS OF THE TOOL…]: SETS=kodak,photos,screens,train or some of them, OTHER=FOLDER of that package, as
// `make package` leaves it in dist/package. The files of sharp are made once, in .tools/bench-avif.
//
// kodak is ../shared/kodak, photos are those of Debian's mate-backgrounds at 1,000 pixels, screens are the screenshots of docs/; train are
// crops of 384×256 from mate-backgrounds: the encoder's constants are chosen on train alone.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import sharp from "sharp";
import { benchSets, crops, kodak, photosOf, screens } from "../bd-rate/pictures.mjs";

const qualities = [8, 20, 35, 50, 60, 70, 80, 90];
const otherQualities = [20, 40, 60, 80, 95];
const { compress } = process.env.OTHER ? await import(resolve(process.env.OTHER, "index.node.js")) : {};

await benchSets({
  format: "avif",
  sets: { kodak, photos: photosOf(1000), screens, train: crops },
  usual: "kodak,photos,screens",
  words: (folder) => [folder, `peer=sharp420,sharp444${compress ? ",other" : ""}`],
  async writePeers(rgb, { width, height }, path, ppm) {
    const raw = { width, height, channels: 3 };
    for (const [peer, chromaSubsampling] of Object.entries({ sharp420: "4:2:0", sharp444: "4:4:4" })) {
      for (const quality of qualities.filter((quality) => !existsSync(path(peer, quality)))) {
        await sharp(rgb, { raw }).avif({ quality, effort: 3, chromaSubsampling }).toFile(path(peer, quality));
      }
    }
    if (!compress) return;
    // Of the other package there may be files of another one.
    for (const quality of otherQualities) {
      const made = await compress(readFileSync(ppm), { to: "avif", quality });
      writeFileSync(path("other", quality), Buffer.from(await made.blob.arrayBuffer()));
    }
  },
});
