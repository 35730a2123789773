// Bytes of our lossy WebPs at equal scores beside libwebp's (sharp at effort 4, with plain and with sharp chroma: `smartSubsample`).
// node benches/webp/bench.mjs [WORDS OF THE TOOL…]: SETS=kodak,photos,train or some of them; files are made once, in .tools/bench-webp.
//
// kodak is ../shared/kodak, photos are those of Debian's mate-backgrounds at 1,000 pixels; train are crops of 384×256 from mate-backgrounds:
// how much luma makes up for chroma was chosen on train.
import { existsSync } from "node:fs";
import sharp from "sharp";
import { benchSets, crops, kodak, photosOf } from "../bd-rate/pictures.mjs";

const qualities = [8, 20, 35, 50, 60, 70, 80, 90];
const peers = { libwebp: {}, "libwebp-sharp": { smartSubsample: true } };

await benchSets({
  format: "webp",
  sets: { kodak, photos: photosOf(1000), train: crops },
  usual: "kodak,photos",
  words: (folder) => [folder, `peer=${Object.keys(peers)}`],
  async writePeers(rgb, { width, height }, path) {
    const raw = { width, height, channels: 3 };
    for (const [peer, options] of Object.entries(peers)) {
      for (const quality of qualities.filter((quality) => !existsSync(path(peer, quality)))) {
        await sharp(rgb, { raw }).webp({ quality, effort: 4, ...options }).toFile(path(peer, quality));
      }
    }
  },
});
