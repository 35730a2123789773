// `make bench-palette`: lossy PNG compared with Debian's pngquant, by bytes at equal SSIMULACRA2. Prints a table and
// fails if the mean exceeds the bound. pngquant (GPL) is a measuring tool only and never part of the package.
//
// pngquant runs at several speeds and qualities; for each score, the speed with the fewest bytes counts. Files as
// pngquant writes them count. The table also shows them after `oxipng -o 2`, because pngquant does not optimize its streams.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { grouped, table } from "../scripts/table.mjs";
import { bytesAt, geometricMean } from "./curve.mjs";
import { drawPictures } from "./generated-pictures.mjs";
import { scores } from "./score.mjs";

/** Our bytes as a share of pngquant's that the project expects in the mean. */
const bound = 1.05;
const ours = { qualities: [100, 90, 80, 70, 60, 50, 40, 30, 20] };
const theirs = { speeds: [1, 4], qualities: [100, 95, 90, 80, 70, 60, 50, 40, 30, 20, 10] };
/** Larger pictures are made smaller first: the longest side, in pixels. */
const side = 640;

const real = [
  ...["demo-large-photo.jpg", "demo-device-screen.png", "example.png"].map((name) => inProject(`../shared/corpus/${name}`)),
  // Of Debian's package mate-backgrounds.
  ...["Garden", "FreshFlower", "Storm"].map((name) => `/usr/share/backgrounds/mate/nature/${name}.jpg`),
];

if (!runs("pngquant", ["--version"])) throw new Error("pngquant is not installed: apt-get install pngquant");
const folder = mkdtempSync(join(tmpdir(), "filepress-palette-"));
try {
  const pictures = [...real.filter((path) => existsSync(path)), ...drawPictures(folder)];
  const rows = pictures.flatMap((path) => compare(path));
  const right = true;
  const titles = ["quality", "bytes", "score", "pngquant", "share", "and oxipng", "share"];
  console.log(table([{ title: "picture" }, ...titles.map((title) => ({ title, right }))], rows.map(cells)).join("\n"));
  const mean = summary(rows, "plain", "pngquant");
  summary(rows, "packed", "pngquant and oxipng -o 2");
  console.log(`\nexpected: a mean of at most ${bound} beside pngquant: ${mean <= bound ? "met" : "MISSED"}`);
  if (!(mean <= bound)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** One row for each of our qualities. */
function compare(path) {
  const name = basename(path, extname(path));
  const at = (rest) => join(folder, `${name}-${rest}.png`);
  const reference = at("reference");
  filepress(path, { to: "image/png", metadata: "strip", effort: 0, resize: { maxWidth: side, maxHeight: side } }, reference);

  const curves = theirs.speeds.map((speed) =>
    theirs.qualities.map((quality) => {
      const [plain, packed] = [at(`${speed}-${quality}`), at(`${speed}-${quality}-packed`)];
      execFileSync("pngquant", ["--strip", "--speed", String(speed), "--quality", `0-${quality}`, "--output", plain, reference]);
      filepress(plain, { metadata: "strip" }, packed);
      return { file: plain, plain: size(plain), packed: size(packed) };
    }),
  );
  const made = ours.qualities.map((quality) => {
    const file = at(`ours-${quality}`);
    filepress(reference, { quality, metadata: "strip" }, file);
    return { quality, file, bytes: size(file) };
  });
  const judged = [...curves.flat(), ...made];
  const judgments = scores(reference, judged.map(({ file }) => file));
  for (const [index, one] of judged.entries()) one.score = Number(judgments[index]);
  const fewest = (key, score) => Math.min(...curves.map((curve) => bytesAt(curve, key, score)).filter(Number.isFinite));
  return made.map(({ quality, bytes, score }) => ({ name, quality, bytes, score, plain: fewest("plain", score), packed: fewest("packed", score) }));
}

/** Prints the mean of our shares and the highest, and returns the mean: NaN where nothing could be compared. */
function summary(rows, key, what) {
  const shares = rows.map((row) => row.bytes / row[key]).filter((share) => share > 0);
  const mean = geometricMean(shares);
  console.log(`\nbeside ${what}, at ${shares.length} equal scores: mean ${mean.toFixed(3)}, most ${Math.max(...shares).toFixed(3)}`);
  return mean;
}

function cells({ name, quality, bytes, score, plain, packed }) {
  const beside = (theirs) => (Number.isFinite(theirs) ? [grouped(theirs), (bytes / theirs).toFixed(3)] : ["–", "–"]);
  return [name, String(quality), grouped(bytes), score.toFixed(2), ...beside(plain), ...beside(packed)];
}

/** The engine, natively (FILEPRESS_NATIVE where that is built already): the same bytes as the package's. */
function filepress(input, options, output) {
  const cargo = ["cargo", "run", "--locked", "--quiet", "--all-features", "--example", "process", "--"];
  const [command, ...args] = process.env.FILEPRESS_NATIVE ? [process.env.FILEPRESS_NATIVE] : cargo;
  execFileSync(command, [...args, input, JSON.stringify(options), output], { cwd: inProject("."), stdio: ["ignore", "ignore", "inherit"] });
}

function size(file) {
  return statSync(file).size;
}

function runs(command, args) {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function inProject(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
