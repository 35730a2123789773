// Renders BENCHMARKS.md. It has no date and no machine load, so that two runs differ only in figures.
import { sameSize } from "../ranking.mjs";
import { reportGoals } from "./goals.mjs";
import { reportLosses } from "./losses.mjs";
import { count, markdownTable, percent, times } from "./markdown.mjs";
import { reportSection, typicalSpread } from "./section.mjs";
import { reportSummary } from "./summary.mjs";
import { reportVariants } from "./variants.mjs";

const introduction = `\`make bench\` writes this file. Nothing in it is edited by hand; the reasons for lost rows are in \`benches/loss-reasons.mjs\`. Below each heading
is the command that measures only that table.

- **Bytes at equal score**: for each picture and library, we search for the quality at which the output reaches the SSIMULACRA2 score that
  is named above the table (70 is high quality). The size is interpolated between the two nearest qualities. Thumbnails are scored against
  the picture resized by Lanczos3 in sRGB.
- If the score jumps by more than 10 points between two neighboring qualities, the size at the higher quality is used. A dash means that
  on at least one picture no quality reaches the score; the ratio then covers the other pictures.
- **Time**: the median of 3 to 9 warm rounds at that quality, from the bytes of the input file to the bytes of the output file. The
  libraries take turns and nothing else runs. filepress runs in a worker, as it does by default; the others run on the calling thread.
- **Options of filepress**: the quality, \`metadata: "strip"\` (the other libraries drop metadata too), and the width of the
  thumbnail. All other options have their defaults.
- **Ratio**: filepress divided by the best other WebAssembly library of the same run, as the geometric mean over the pictures. Below 1
  is better. Bytes are compared with the library that has the smallest files; time with the fastest library whose files are at most
  ${percent(sameSize - 1)} larger than those. "Time vs. fastest of all" compares with the fastest library, whatever its file size.
- **Memory**: one conversion in a fresh process. \`wasm MB\` is the peak of all WebAssembly memory, \`process MB\` the peak resident memory
  of the process. wasm-vips reserves its memory at start. Here filepress runs on the calling thread, so that its memory can be read,
  as in a browser without workers, which loads the build \`core\` (AVIF: \`avif\`). Times and downloads for JPEG → JPEG and JPEG → WebP are
  those of \`photo\`, a build that downloads less and has the same codecs.
- **Download**: the JavaScript (bundled into one file, with everything it can import later) and the WebAssembly that a page loads for the
  conversion, by gzip -9. The figure for filepress includes the client for the server.
- **sharp** is native code. It shows what the machine can do, and takes no part in the ratios.`;

const inChromium = `Headless, in one page, from the File to the Blob. compressorjs and browser-image-compression draw on a canvas, so the
browser's native code encodes.`;

const resavedInputs = `Photos are used as they are. sharp saves the other pictures again as PNG in sRGB without metadata (those of kind palette with
256 colors), so that all libraries start from the same pixels. The table gives the bytes of these files.`;

const aboutBatch = `filepress starts workers by itself, at most one for each core. jSquash, wasm-image-optimization and wasm-vips convert one
photo after the other on the calling thread; a program that wants more has to start its own workers. "One photo" is the time of a single
call. The last column compares the times of all photos.`;

/**
 * @param {object} results
 * @param {{ machine: string[], corpus: object[], sections: object[], chromium: object[], batch: object, variants: object, idle: number }} results
 */
export function reportDocument({ machine, corpus, sections, chromium, batch, variants, idle }) {
  const all = [...sections, ...chromium];
  return `${[
    "# Benchmarks",
    introduction,
    "## In short",
    reportSummary(all),
    "## Goals",
    reportGoals(sections, batch),
    "## Where filepress loses",
    reportLosses(all, batch),
    "## Machine, versions and pictures",
    [...machine, spread(all)].map((line) => `- ${line}.`).join("\n"),
    pictures(corpus),
    resavedInputs,
    "## In Node",
    `An idle Node process takes ${(idle / 1e6).toFixed(0)} MB (\`node benches/memory-probe.mjs none none {} README.md\`).`,
    ...sections.map(reportSection),
    ...(batch ? [reportBatch(batch)] : []),
    ...(variants ? [reportVariants(variants)] : []),
    ...(chromium.length > 0 ? ["## In Chromium", inChromium, ...chromium.map(reportSection)] : []),
  ].join("\n\n")}\n`;
}

function spread(sections) {
  return `The fastest and the slowest round typically differ by ${percent(typicalSpread(sections))} of the median`;
}

function pictures(corpus) {
  const rows = corpus.map(({ name, kind, source, width, height, megapixels, size }) => [
    `${name}: ${kind}, ${source}`,
    `${width} × ${height}`,
    megapixels.toFixed(1),
    count(size),
  ]);
  return markdownTable(["picture", "pixels", "MP", "bytes"], rows);
}

export function reportBatch({ title, command, photos, peers, rows }) {
  const ours = rows.find(({ peer }) => peer === "filepress");
  const table = rows.map(({ peer, one, all }) => {
    const { name } = peers.find(({ id }) => id === peer);
    const figures = [count(one), count(all), times((one * photos) / all), times(ours.all / all)];
    return [peer === "filepress" ? `**${name}**` : name, ...figures];
  });
  const titles = ["", "one photo, ms", `${photos} photos, ms`, `speed-up over ${photos} × one`, "filepress' time ÷ this library's"];
  return [`### ${title}`, `\`${command}\``, markdownTable(titles, table), aboutBatch].join("\n\n");
}
