// Markdown tables and their number formats.
import { grouped } from "../../scripts/table.mjs";

/** @param {string[]} titles the first is a text, the others are figures. @param {string[][]} rows */
export function markdownTable(titles, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(titles), line(titles.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

export const none = "–";
/** A count, or a dash for what is not there. */
export const count = (value) => (Number.isFinite(value) ? grouped(value) : none);
export const times = (value) => (Number.isFinite(value) ? value.toFixed(2) : none);
/** Ratios of bytes differ in less than ratios of times. */
export const fine = (value) => (Number.isFinite(value) ? value.toFixed(3) : none);
export const megabytes = (bytes) => (bytes > 0 ? (bytes / 1e6).toFixed(1) : none);
export const kilobytes = (bytes) => (bytes > 0 ? (bytes / 1e3).toFixed(0) : none);
export const percent = (share) => `${(share * 100).toFixed(0)} %`;
