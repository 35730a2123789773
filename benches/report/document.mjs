// BENCHMARKS.md as a whole. It has no date and no load of the machine: the same run gives the same file, but for its figures.
import { sameSize } from "../ranking.mjs";
import { reportGoals } from "./goals.mjs";
import { reportLosses } from "./losses.mjs";
import { count, markdownTable, percent, times } from "./markdown.mjs";
import { reportSection, typicalSpread } from "./section.mjs";
import { reportSummary } from "./summary.mjs";

const introduction = `Made by \`make bench\`; the table of each work also says the command that makes it alone, and those before are drawn from them.
Nothing here is edited by hand: why a row is lost stands in \`benches/loss-reasons.mjs\`.

- **Bytes at equal score**: for every picture and peer the quality is searched at which the output scores the SSIMULACRA2 of the
  table against the picture (70 is high quality), and the bytes are read between the two measured qualities next to it. The
  thumbnail is held against the picture made smaller by Lanczos3 on its sRGB values.
- Where an encoder goes up in steps of more than 10 points, the upper end of the step counts. A dash stands where no quality
  reaches the score on every picture.
- **Time**: at that quality, warm, peers in turn and nothing beside them, the median of 3 to 9 rounds; the bytes of a file in, the
  bytes of a file out. filepress works in a worker as a program has it, the others in the calling thread.
- **filepress** is told more than the quality: \`metadata: "strip"\`, since the others drop metadata, and the width of the
  thumbnail. All else is its default.
- **Ratio**: to the best peer of WebAssembly in the same run, as the geometric mean over the pictures; below 1 is better. Bytes are
  held against those of the peer with the smallest files, times against the fastest of the peers whose files are at most
  ${percent(sameSize - 1)} larger than those. \`fastest\` is beside the fastest peer whatever its files.
- **Memory**: one work in a fresh process. \`wasm MB\` is all WebAssembly memory at its peak, \`process MB\` the most resident memory
  of the process. wasm-vips reserves its memory at the start, so that its first figure tells little. filepress works in the
  calling thread here, where its memory can be seen, by the build \`core\` (AVIF: \`full\`); its times and downloads for
  JPEG → JPEG and WebP are those of \`photo\`, which has the same codecs in a smaller module, and works in workers alone.
- **Download**: what a page loads for the work: JavaScript, bundled into one file with what it may import later, and WebAssembly,
  both by gzip -9. Of filepress the JavaScript of its Client is counted too. \`make package\` counts what a page for images alone
  loads at once, which is a little less.
- **sharp** is native code and stands in no ratio: it shows what the machine could do.`;

const inChromium = `Headless, in one page, from the File to the Blob. compressorjs and browser-image-compression draw on a canvas, and
native code of the browser encodes.`;

const savedAgain = `Photos are taken as they are. The others are saved again by sharp, as PNG in sRGB without metadata, those of
the kind palette in 256 colors, so that no peer has to keep or to convert what another drops: the bytes are those of what is
handed over.`;

const ofThreads = `filepress starts workers by itself, one for each core at most. jSquash and wasm-image-optimization make one photo
after the other in the calling thread, and so do calls of wasm-vips, whatever threads it has inside: a program that wants more of
them has to start workers of its own. The last column says what becomes of all calls together; how fast one is stands in the
first.`;

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
    "## The machine, the versions, the pictures",
    [...machine, spread(all)].map((line) => `- ${line}.`).join("\n"),
    pictures(corpus),
    savedAgain,
    "## In Node",
    `An idle process of Node takes ${(idle / 1e6).toFixed(0)} MB (\`node benches/memory-probe.mjs none none {} README.md\`).`,
    ...sections.map(reportSection),
    ...(batch ? [reportBatch(batch)] : []),
    ...(chromium.length > 0 ? ["## In Chromium", inChromium, ...chromium.map(reportSection)] : []),
  ].join("\n\n")}\n`;
}

function spread(sections) {
  return `Between the fastest and the slowest round lie, typically, ${percent(typicalSpread(sections))} of the median`;
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
  return [`### ${title}`, `\`${command}\``, markdownTable(titles, table), ofThreads].join("\n\n");
}
