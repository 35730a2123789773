// `make bench-target-size`: how many encodings a `targetSize` takes, how much of it the files fill, and the time: 12 pictures of the Kodak
// set and 6 photos, each at three targets.
//
//   node benches/target-size.mjs [FOLDER…]   folders of built engines (default: dist/wasm/photo); with several, the time and the bytes of
//                                            each beside those of the first
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import sharp from "sharp";
import { table } from "../scripts/table.mjs";
import { openCorpus } from "./corpus.mjs";

/** Targets, as shares of the bytes of the file. */
const SHARES = [0.6, 0.3, 0.12];
/** Rounds, of which the shortest time counts. */
const ROUNDS = 3;
const PHOTOS = ["camera", "wood", "wings", "storm", "dune", "meadow"];
const kodak = fileURLToPath(new URL("../../shared/kodak/", import.meta.url));

const folders = process.argv.length > 2 ? process.argv.slice(2) : ["dist/wasm/photo"];
const engines = await Promise.all(folders.map(open));
const cases = (await pictures()).flatMap((picture) => SHARES.map((share) => measure(picture, share)));
for (const [index, folder] of folders.entries()) report(folder, index);

async function open(folder) {
  const at = (file) => join(resolve(folder), file);
  const engine = await import(pathToFileURL(at("filepress.js")).href);
  engine.initSync({ module: readFileSync(at("filepress_bg.wasm")) });
  return engine;
}

/** Those of the Kodak set as JPEGs of high quality, the others as they are. */
async function pictures() {
  const folder = mkdtempSync(join(tmpdir(), "filepress-target-"));
  const photos = (await openCorpus(folder)).filter(({ name }) => PHOTOS.includes(name)).map(({ bytes }) => bytes);
  rmSync(folder, { recursive: true });
  const names = readdirSync(kodak).filter((name) => name.endsWith(".png"));
  const others = names.map((name) => sharp(join(kodak, name)).jpeg({ quality: 95 }).toBuffer());
  return [...(await Promise.all(others)), ...photos];
}

/** What each engine makes of a picture. */
function measure(bytes, share) {
  const target = Math.floor(bytes.length * share);
  const results = engines.map(() => ({ ms: Infinity }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, engine] of engines.entries()) {
      let attempts = 0;
      const started = process.cpuUsage();
      const { bytes: made, report } = engine.process(bytes, "image/jpeg", { to: "image/jpeg", targetSize: target }, (...[, , , attempt]) => {
        attempts = Math.max(attempts, attempt);
      });
      const { user, system } = process.cpuUsage(started);
      const ms = Math.min(results[index].ms, (user + system) / 1000);
      results[index] = { ms, attempts, filled: made.length / target, pixels: report.width * report.height };
    }
  }
  return { share, results };
}

function report(folder, index) {
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const geometric = (numbers) => Math.exp(mean(numbers.map(Math.log)));
  const row = (name, chosen) => {
    const own = chosen.map(({ results }) => results[index]);
    const beside = (value) => geometric(chosen.map(({ results }) => value(results[index]) / value(results[0]))).toFixed(3);
    const less = chosen.filter(({ results: { [index]: one, 0: first } }) => one.pixels < first.pixels || (one.pixels === first.pixels && one.filled < first.filled));
    return [
      name,
      mean(own.map(({ attempts }) => attempts)).toFixed(2),
      String(Math.max(...own.map(({ attempts }) => attempts))),
      `${(100 * mean(own.map(({ filled }) => filled))).toFixed(1)} %`,
      String(own.filter(({ filled }) => filled > 1).length),
      geometric(own.map(({ ms }) => ms)).toFixed(0),
      ...(index > 0 ? [beside(({ ms }) => ms), beside(({ filled }) => filled), String(less.length)] : []),
    ];
  };
  const right = (title) => ({ title, right: true });
  const columns = [{ title: "target" }, ...["encodings", "most", "filled", "over", "ms"].map(right)];
  if (index > 0) columns.push(...["time beside the first", "bytes", "fewer bytes"].map(right));
  const rows = SHARES.map((share) => row(`${share * 100} %`, cases.filter((one) => one.share === share)));
  console.log([folder, ...table(columns, [...rows, row("all", cases)]), ""].join("\n"));
}
