// Bytes and time of our lossless AVIF beside libaom's (sharp, effort 3): `node benches/avif/lossless.mjs`, with SETS=kodak,photos,screens or some
// of them, and the package in dist/package. Each file of ours is read back by sharp, and is the same pixels.
import { strict as assert } from "node:assert";
import { basename } from "node:path";
import sharp from "sharp";
import { kodak, photosOf, screens } from "../bd-rate/pictures.mjs";
import { geometricMean } from "../curve.mjs";
import { grouped, table } from "../../scripts/table.mjs";

const { compress } = await import(new URL("../../dist/package/index.node.js", import.meta.url));
const sets = { kodak, photos: photosOf(1000), screens };
const right = true;

for (const set of (process.env.SETS ?? "kodak,photos,screens").split(",")) {
  const [files, cut] = sets[set]();
  const rows = [];
  for (const file of files) {
    const { data, info } = await cut(sharp(file).removeAlpha().toColourspace("srgb")).raw().toBuffer({ resolveWithObject: true });
    const picture = () => sharp(data, { raw: info });
    const png = await picture().png().toBuffer();
    const ours = await timed(async () => Buffer.from(await (await compress(png, { to: "avif", lossless: true })).blob.arrayBuffer()));
    const theirs = await timed(() => picture().avif({ lossless: true, effort: 3 }).toBuffer());
    assert.ok((await sharp(ours.made).raw().toBuffer()).equals(data), `${file}: other pixels`);
    const [bytes, time] = [ours.made.length / theirs.made.length, ours.seconds / theirs.seconds];
    rows.push({ name: basename(file), ours: ours.made.length, theirs: theirs.made.length, bytes, time });
  }
  const titles = [{ title: set }, ...["filepress", "libaom", "bytes", "time"].map((title) => ({ title, right }))];
  const cells = ({ name, ours, theirs, bytes, time }) => [name, grouped(ours), grouped(theirs), bytes.toFixed(3), time.toFixed(2)];
  console.log(table(titles, rows.map(cells)).join("\n"));
  const [bytes, time] = ["bytes", "time"].map((key) => rows.map((row) => row[key]));
  console.log(`\n${rows.length} pictures: bytes ${geometricMean(bytes).toFixed(3)}, at most ${Math.max(...bytes).toFixed(3)}; time ${geometricMean(time).toFixed(2)}\n`);
}

async function timed(make) {
  const start = performance.now();
  const made = await make();
  return { made, seconds: (performance.now() - start) / 1000 };
}
