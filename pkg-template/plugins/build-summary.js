// The table that a build prints: for each image its size, and the number and sizes of the files that became of it.

/** Lines for `rows` of `{ name, size, files, cached }`, whose files have `bytes`; none for no rows. */
export function summarize(rows) {
  if (rows.length === 0) return [];
  const lines = rows.map(({ name, size, files, cached }) => {
    const sizes = files.map(({ bytes }) => bytes);
    return [name, kilobytes(size), count(files.length, "file"), `${kilobytes(Math.min(...sizes))} to ${kilobytes(Math.max(...sizes))}`, cached ? "from the cache" : ""];
  });
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const made = rows.filter(({ cached }) => !cached).flatMap(({ files }) => files).length;
  const total = rows.flatMap(({ files }) => files).length;
  return [`filepress: ${count(total, "file")} of ${count(rows.length, "image")}, ${made} encoded`, ...lines.map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()}`)];
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
