// Renders BENCHMARKS.md. It has no date and no machine load, so that two runs differ only in figures.
import { sameSize } from "../ranking.mjs";
import { reportGoals } from "./goals.mjs";
import { reportLosses } from "./losses.mjs";
import { count, markdownTable, percent, times } from "./markdown.mjs";
import { reportSection, typicalSpread } from "./section.mjs";
import { reportSummary } from "./summary.mjs";

const introduction = `\`make bench\` writes this file. Nothing in it is edited by hand; the reasons for lost rows are in \`benches/loss-reasons.mjs\`. Under each heading
stands the command that measures that table alone.

- **Bytes at equal score**: for each picture and library, the quality is searched at which the output has the SSIMULACRA2 score of the
  table (70 is high quality). The bytes are interpolated between the two nearest measured qualities. A thumbnail is compared with
  the picture resized by Lanczos3 on its sRGB values.
- Where the score of an encoder jumps by more than 10 points from one quality to the next, the bytes of the higher quality count. A
  dash means that no quality reaches the score on every picture.
- **Time**: the median of 3 to 9 warm rounds at that quality, from the bytes of the input file to the bytes of the output file. The
  libraries take turns and nothing else runs. filepress runs in a worker, as it does by default; the others run in the calling thread.
- **Options of filepress**: the quality, \`metadata: "strip"\` (the other libraries drop metadata too), and the width of the
  thumbnail. All other options have their defaults.
- **Ratio**: filepress divided by the best other WebAssembly library of the same run, as the geometric mean over the pictures. Below 1
  is better. Bytes are compared with the library that has the smallest files; time with the fastest library whose files are at most
  ${percent(sameSize - 1)} larger than those. The column \`fastest\` compares with the fastest library, whatever its file size.
- **Memory**: one conversion in a fresh process. \`wasm MB\` is the peak of all WebAssembly memory, \`process MB\` the peak resident memory
  of the process. wasm-vips reserves its memory at start. filepress runs in the calling thread here, so that its memory can be read,
  with the build \`core\` (AVIF: \`full\`). Its times and downloads for JPEG → JPEG and WebP are those of \`photo\`, a smaller build with
  the same codecs, which runs in workers only.
- **Download**: the JavaScript (bundled into one file, with everything it can import later) and the WebAssembly that a page loads for the
  conversion, by gzip -9. The figure of filepress includes the service's client.
- **sharp** is native code. It shows what the machine can do, and takes no part in the ratios.`;

const inChromium = `Headless, in one page, from the File to the Blob. compressorjs and browser-image-compression draw on a canvas, so the
browser's native code encodes.`;

const resavedInputs = `Photos are used as they are. sharp saves the other pictures again as PNG in sRGB without metadata (those of kind palette with
256 colors), so that all libraries start from the same pixels. The table gives the bytes of these files.`;

const aboutBatch = `filepress starts workers by itself, at most one for each core. jSquash, wasm-image-optimization and wasm-vips convert one
photo after the other in the calling thread; a program that wants more has to start its own workers. The last column compares the
time of all photos, the first gives the time of one.`;

/**
 * @param {object} results
 * @param {{ machine: string[], corpus: object[], sections: object[], chromium: object[], batch: object, idle: number }} results
 */
export function reportDocument({ machine, corpus, sections, chromium, batch, idle }) {
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
  const titles = ["", "one, ms", `${photos} at once, ms`, `× ${photos} of one`, "filepress ÷ it"];
  return [`### ${title}`, `\`${command}\``, markdownTable(titles, table), aboutBatch].join("\n\n");
}
