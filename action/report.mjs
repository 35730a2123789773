// What the action says of the results: as Markdown for the comment and the summary, and as text for the log.

/** The first line of the comment, by which the next run finds it. */
export const MARKER = "<!-- filepress -->";

/** The characters of the rows of a table and of a list. A comment holds 65,536 characters. */
const TABLE_BUDGET = 40_000;
const LIST_BUDGET = 20_000;

/** `lines` are those of the command line with --json. */
export function createReport(lines) {
  const smaller = lines.filter(({ outputSize, inputSize }) => outputSize < inputSize).sort((a, b) => saving(b) - saving(a));
  const failed = lines.filter(({ error }) => error);
  const [before, after] = ["inputSize", "outputSize"].map((size) => smaller.reduce((sum, line) => sum + line[size], 0));
  const rest = lines.length - smaller.length - failed.length;
  const summary = smaller.length > 0 ? `${smaller.length} images: ${change(before, after)}` : "No image became smaller";
  const text = `filepress: ${summary}; ${rest} unchanged, ${failed.length} failed`;
  const parts = [`**filepress** · ${summary}`, ...table(smaller), ...failures(failed)];
  return { text, markdown: parts.join("\n"), files: smaller.length, saved: before - after, isEmpty: smaller.length + failed.length === 0 };
}

const saving = ({ inputSize, outputSize }) => inputSize - outputSize;

function table(smaller) {
  if (smaller.length === 0) return [];
  const rows = smaller.map(({ input, inputSize, outputSize }) => `| ${code(input)} | ${change(inputSize, outputSize)} |`);
  return ["", "| image | size |", "| --- | --- |", ...fitting(rows, TABLE_BUDGET)];
}

function failures(failed) {
  return failed.length > 0 ? ["", ...fitting(failed.map(({ input, error }) => `- ${code(input)}: ${code(error.code)}`), LIST_BUDGET)] : [];
}

/** The first rows, as many as fit in `budget` characters, and how many more there are. */
function fitting(rows, budget) {
  let left = budget;
  const beyond = rows.findIndex((row) => (left -= row.length + 1) < 0);
  return beyond < 0 ? rows : [...rows.slice(0, beyond), "", `And ${rows.length - beyond} more.`];
}

/** Text of others as code, in which nothing is markup. */
const code = (value) => `<code>${String(value).replaceAll(/[^\w ./-]/gu, (letter) => `&#${letter.codePointAt(0)};`)}</code>`;

const change = (before, after) => `${kilobytes(before)} → ${kilobytes(after)} (−${((100 * (before - after)) / before).toFixed(1)} %)`;

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
