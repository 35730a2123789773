// `node benches/png-many.mjs [FILE…]`: PNG to PNG at the default effort beside jSquash (oxipng's level 2), for the files that are named, or
// for those that are there of the corpus, of ../shared/kodak and of Debian's icons, backgrounds and documents, all without metadata. Prints each
// file, and the geometric mean and the worst with the number of files. Both are warm and take turns, as in `make bench`. Needs dist/package/.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importBuilt } from "../scripts/built.mjs";
import { jsquash } from "./peers/jsquash.mjs";
import { sideBySide, timed } from "./timing.mjs";

const shared = (name) => fileURLToPath(new URL(`../../shared/${name}`, import.meta.url));
/** Folders, the fewest bytes of their files, and the most files that are taken of each, the largest first. */
const FOLDERS = [
  { folder: shared("kodak"), least: 0, most: 10 },
  { folder: shared("corpus"), least: 4096, most: 20 },
  { folder: "/usr/share/backgrounds", least: 4096, most: 10 },
  { folder: "/usr/share/doc", least: 2048, most: 12 },
  { folder: "/usr/share/info", least: 2048, most: 4 },
  { folder: "/usr/share/icons/hicolor", least: 1024, most: 10 },
  { folder: "/usr/share/icons/Adwaita/512x512", least: 1024, most: 8 },
  { folder: "/usr/share/icons/Adwaita/48x48", least: 1024, most: 4 },
];
const ROUNDS = { fewest: 2, most: 7, budget: 1500 };

const { compress } = await importBuilt("node");
const other = await jsquash.start();
const encoders = [async (bytes) => (await compress(bytes, { metadata: "strip" })).bytes(), (bytes) => other.png(bytes)];

const named = process.argv.slice(2);
const rows = [];
for (const path of named.length > 0 ? named : FOLDERS.flatMap(largest)) {
  const bytes = withoutMetadata(readFileSync(path));
  const [ours, theirs] = [await encoders[0](bytes), await encoders[1](bytes)].map(({ length }) => length);
  const [our, their] = await sideBySide(encoders.map((encode) => () => timed(() => encode(bytes))), ROUNDS);
  const row = { file: basename(path), filepress: ours, jSquash: theirs, bytes: ours / theirs, "filepress ms": our.ms, "jSquash ms": their.ms, time: our.ms / their.ms };
  rows.push(row);
  console.log(Object.values(row).map(shown).join("\t"));
}
const mean = (column) => Math.exp(rows.reduce((sum, row) => sum + Math.log(row[column]), 0) / rows.length);
const worst = (column) => Math.max(...rows.map((row) => row[column]));
for (const column of ["bytes", "time"]) console.log(`${column}: ${shown(mean(column))} in geometric mean of ${rows.length} files, at most ${shown(worst(column))}`);
process.exit();

/** jSquash keeps metadata: a file starts with the chunks alone that its pixels need. */
function withoutMetadata(file) {
  const parts = [file.subarray(0, 8)];
  for (let at = 8, end; at + 12 <= file.length; at = end) {
    end = at + 12 + file.readUInt32BE(at);
    if (["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].includes(file.toString("latin1", at + 4, at + 8))) parts.push(file.subarray(at, end));
  }
  return Buffer.concat(parts);
}

/** The paths of the largest PNGs of a folder. */
function largest({ folder, least, most }) {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".png")).map((name) => join(folder, name));
  const sized = paths.map((path) => ({ path, size: statSync(path).size })).filter(({ size }) => size >= least);
  return sized.sort((one, two) => two.size - one.size || one.path.localeCompare(two.path)).slice(0, most).map(({ path }) => path);
}

function shown(value) {
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3) : String(value);
}
