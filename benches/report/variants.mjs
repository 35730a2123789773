// The table of twelve variants of one photo.
import { count, markdownTable, megabytes, times } from "./markdown.mjs";

const NAMES = {
  turns: "twelve calls, one after another",
  together: "twelve calls at once",
  variants: "**one call of `variants`**",
  sharp: "sharp (native), twelve of `clone()`",
};

const about = `One photo becomes 400, 800, 1200 and 1600 pixels wide, each as AVIF, WebP and JPEG, in a fresh process for each way, with the default
qualities. sharp gets the same numbers (AVIF with effort 3, JPEG with \`mozjpeg: true\`), which do not mean the same quality. The outputs of
filepress are the same bytes in all ways. The times contain that of compiling the WebAssembly and of starting a second worker, which
later calls save. Memory is the peak of the whole process; most of what filepress adds to one that has only loaded it is the compiler's.`;

/** @param {object} results see ../variants.mjs. */
export function reportVariants({ title, command, rows, largest, loaded }) {
  const calls = rows.find(({ way }) => way === "turns");
  const table = rows.map(({ way, ms, cpu, peak }) => [NAMES[way], count(ms), times(ms / calls.ms), count(cpu), megabytes(peak), times(peak / largest)]);
  const titles = ["", "ms", "ratio", "processor ms", "process MB", "÷ the largest single call"];
  const own = rows.find(({ way }) => way === "variants").peak;
  const above = `The largest single call takes ${megabytes(largest)} MB, a process that has only loaded filepress ${megabytes(loaded)} MB; above that, one call of \`variants\` takes ${times((own - loaded) / (largest - loaded))} of the largest.`;
  return [`### ${title}`, `\`${command}\``, markdownTable(titles, table), about, above].join("\n\n");
}
