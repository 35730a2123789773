// Plain text tables and readable numbers, shared by the demo and the benchmark.

/**
 * Aligned lines of a table, with a rule under its head.
 * @param {{ title: string, right?: boolean }[]} columns right: aligned to the right, for figures.
 * @param {string[][]} rows one text per column.
 */
export function table(columns, rows) {
  const widths = columns.map(({ title }, index) => Math.max(title.length, ...rows.map((row) => row[index].length)));
  const line = (cells) =>
    cells
      .map((cell, index) => (columns[index].right ? cell.padStart(widths[index]) : cell.padEnd(widths[index])))
      .join("  ")
      .trimEnd();
  return [line(columns.map(({ title }) => title)), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)];
}

/** 862468 → "862,468". */
export const grouped = (count) => Math.round(count).toLocaleString("en-US");

/** What was saved, of what it was before: "−69.1 %"; a growth reads "+3.0 %". */
export function saved(before, after) {
  const change = ((after - before) / before) * 100;
  return `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(1)} %`;
}
