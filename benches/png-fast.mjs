// `node benches/png-fast.mjs [FILE…]`: PNG to PNG at `effort: 0` beside photon, for the PNGs of the benchmark or for the files that are
// named. Both are warm and take turns, as in `make bench`. The goals are 1.5 times photon's time and 0.8 of its bytes, in geometric
// mean. Needs dist/package/.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { importBuilt } from "../scripts/built.mjs";
import { openCorpus } from "./corpus.mjs";
import { photon } from "./peers/photon.mjs";
import { sideBySide, timed } from "./timing.mjs";

const EFFORT = 0;

const { compress } = await importBuilt("node");
const other = await photon.start();
const encoders = [async (bytes) => (await compress(bytes, { effort: EFFORT, metadata: "strip" })).bytes(), (bytes) => other.png(bytes)];

const rows = {};
for (const { name, bytes } of await pictures(process.argv.slice(2))) {
  const sizes = [];
  for (const encode of encoders) sizes.push((await encode(bytes)).length);
  const times = await sideBySide(encoders.map((encode) => () => timed(() => encode(bytes))));
  rows[name] = { filepress: sizes[0], photon: sizes[1], bytes: sizes[0] / sizes[1], "filepress ms": times[0].ms, "photon ms": times[1].ms, time: times[0].ms / times[1].ms };
}
const mean = (column) => Math.exp(Object.values(rows).reduce((sum, row) => sum + Math.log(row[column]), 0) / Object.keys(rows).length);
rows["geometric mean"] = { bytes: mean("bytes"), time: mean("time") };
for (const row of Object.values(rows)) for (const key of Object.keys(row)) row[key] = Number(row[key].toFixed(3));
console.table(rows);
process.exit();

/** `{ name, bytes }` of each picture. */
async function pictures(files) {
  if (files.length > 0) return files.map((file) => ({ name: basename(file), bytes: readFileSync(file) }));
  const folder = mkdtempSync(join(tmpdir(), "filepress-bench-"));
  try {
    return (await openCorpus(folder)).filter(({ kind }) => kind !== "photo");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
