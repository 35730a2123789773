// `make demo`: compresses real photographs with the built package in Node, then a video, an audio file and a PDF with
// the server, and prints a table. Then it serves the page, with a server that it may use. Exits with 1 and a reason
// if a photo is missing, a result is not smaller, or another decoder disagrees.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import sharp from "sharp";
import { importBuilt, manifest } from "./built.mjs";
import { convertByService } from "./demo-service.mjs";
import { serve } from "./serve.mjs";
import { startService } from "./service.mjs";
import { buildSite } from "./site.mjs";
import { grouped, saved, table } from "./table.mjs";

/** Debian's package mate-backgrounds puts them here. */
const photos = process.env.DEMO_PHOTOS ?? "/usr/share/backgrounds/mate";

const jobs = [
  { file: "nature/Wood.jpg", options: {} },
  { file: "nature/Storm.jpg", options: {} },
  { file: "nature/RainDrops.jpg", options: { quality: 60 } },
  { file: "nature/TwoWings.jpg", options: { lossless: true } },
  { file: "nature/Dune.jpg", options: { to: "webp" } },
  { file: "nature/Blinds.jpg", options: { to: "webp", resize: { maxWidth: 1600, maxHeight: 1600 } } },
  { file: "abstract/Elephants_3840x2160.jpg", options: {} },
  { file: "abstract/Elephants_5640x3172.jpg", options: { resize: { maxWidth: 1600, maxHeight: 1600 } } },
  { file: "desktop/MATE-Stripes-Light.png", options: {} },
  { file: "desktop/Float-into-MATE.png", options: { quality: 80 } },
  { file: "desktop/Ubuntu-Mate-Cold-no-logo.png", options: { to: "webp" } },
  { file: "desktop/Ubuntu-Mate-Warm-no-logo.png", options: { to: "jpeg" } },
  { file: "nature/Dune.jpg", options: { to: "avif", resize: { maxWidth: 1200, maxHeight: 1200 } } },
  { file: "nature/Wood.jpg", options: { targetSize: 200_000 } },
  { file: "nature/Storm.jpg", options: { to: "webp", quality: "auto", resize: { maxWidth: 1200, maxHeight: 1200 } } },
  { file: "nature/TwoWings.jpg", options: { to: "tiff", resize: { maxWidth: 400, maxHeight: 400 } } },
];

const columns = [
  { title: "file" },
  { title: "type" },
  { title: "settings" },
  { title: "pixels", right: true },
  { title: "bytes before", right: true },
  { title: "bytes after", right: true },
  { title: "saved", right: true },
  { title: "ms", right: true },
];

async function main() {
  const { compress } = await importBuilt();
  console.log(`filepress ${manifest().version} in Node ${process.versions.node}: photos of ${photos}\n`);
  const results = [];
  for (const job of jobs) {
    note(`${results.length + 1} of ${jobs.length}: ${job.file}`);
    results.push(await compressOne(compress, job));
  }
  const { rows, tools } = await convertByService(note);
  results.push(...rows);
  note("");
  const before = sum(results, "before");
  const after = sum(results, "after");
  const ms = sum(results, "ms");
  const total = [`${results.length} files`, "", "", "", grouped(before), grouped(after), saved(before, after), grouped(ms)];
  const lines = table(columns, [...results.map(({ row }) => row), total]);
  lines.splice(-1, 0, lines[1]);
  console.log(lines.join("\n"));
  console.log("\nEvery image was decoded again by sharp, which found the type and the dimensions that filepress named;");
  console.log("video, audio and PDF by the server, and read back by ffprobe and pdfinfo. The server found:\n");
  console.log(tools);
  if (process.env.SERVE !== "0") await present();
}

/** Makes one photo smaller and holds the result against what was promised. */
async function compressOne(compress, { file, options }) {
  const path = join(photos, file);
  const contents = await readFile(path).catch(({ code }) => {
    throw new Error(`no photo ${path} (${code}): install Debian's package mate-backgrounds, or name its folder in DEMO_PHOTOS`);
  });
  const photo = new File([contents], basename(file));
  const started = performance.now();
  const result = await compress(photo, options);
  const bytes = await result.bytes();
  const ms = performance.now() - started;

  if (bytes.length > (options.targetSize ?? Infinity)) throw new Error(`${file}: ${bytes.length} bytes are more than asked for`);
  if (bytes.length >= photo.size) throw new Error(`${file}: ${bytes.length} bytes are not fewer than ${photo.size}`);
  if (options.quality === "auto" && !(result.score >= 80)) throw new Error(`${file}: the score is ${result.score}`);
  const seen = await decode(bytes).catch((error) => {
    throw new Error(`${file}: sharp cannot read the result: ${error.message}`);
  });
  const told = `${result.type} ${result.width} × ${result.height}`;
  if (seen !== told) throw new Error(`${file}: filepress says ${told}, sharp finds ${seen}`);
  const change = `${extension(file)} → ${result.type.replace("image/", "")}`;
  const cells = [basename(file), change, settings(options), `${result.width} × ${result.height}`];
  const figures = [grouped(photo.size), grouped(bytes.length), saved(photo.size, bytes.length), grouped(ms)];
  return { before: photo.size, after: bytes.length, ms, row: [...cells, ...figures] };
}

/** Decodes every pixel with a library that shares no code with ours. */
async function decode(bytes) {
  const { format, compression } = await sharp(bytes).metadata();
  const { info } = await sharp(bytes, { failOn: "warning" }).raw().toBuffer({ resolveWithObject: true });
  return `image/${compression === "av1" ? "avif" : format} ${info.width} × ${info.height}`;
}

function settings({ quality, lossless, resize, targetSize }) {
  const size = resize && `≤ ${resize.maxWidth} px`;
  const bytes = targetSize && `≤ ${grouped(targetSize)} bytes`;
  const said = [size, quality && `quality ${quality}`, lossless && "lossless", bytes].filter(Boolean);
  return said.join(", ") || "–";
}

const extension = (file) => (file.endsWith(".png") ? "png" : "jpeg");
const sum = (results, key) => results.reduce((total, result) => total + result[key], 0);

/** Where a person watches: what is being done, on a line that the table then takes. */
function note(words) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${words}`);
}

async function present() {
  await buildSite();
  const server = await serve();
  const service = await startService({ args: ["--cors-origins", new URL(server.url).origin] });
  // In the fragment, which no server sees, and which the page takes off at once.
  const fragment = new URLSearchParams({ service: service.url, key: service.key });
  console.log(`\nThe page, with the server: ${server.url}#${fragment}   (Ctrl-C ends both)`);
  const end = () => Promise.all([server.close(), service.stop()]);
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
}

main().catch((error) => {
  console.error(`demo: ${error.message}`);
  process.exitCode = 1;
});
