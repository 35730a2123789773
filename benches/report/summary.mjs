// All cases in one table: for BENCHMARKS.md completely, for the README the cases in Node that readers ask for first.
import { standing } from "../ranking.mjs";
import { fine, markdownTable, none, times } from "./markdown.mjs";

const titles = { bytes: "bytes", time: "time", fastest: "time vs. fastest of all", memory: "wasm memory", download: "download" };

/** What the README has around its table. */
const marks = ["<!-- from BENCHMARKS.md, by `make bench` -->\n\n", "\n\n<!-- end -->"];

/**
 * @param {(import("../ranking.mjs").Section & { title: string })[]} sections
 * @param {string[]} [measures] of ranking.mjs.
 * @returns {string} a table in Markdown.
 */
export function reportSummary(sections, measures = Object.keys(titles)) {
  const rows = sections.map((section) => {
    const rows = standing(section);
    const cell = (measure) => {
      const row = rows.find((one) => one.measure === measure);
      if (!row) return none;
      const { name } = section.peers.find(({ id }) => id === row.rival);
      return `${measure === "bytes" ? fine(row.ratio) : times(row.ratio)} (${name})`;
    };
    return [section.title, ...measures.map(cell)];
  });
  return markdownTable(["ratio to the best peer", ...measures.map((measure) => titles[measure])], rows);
}

/** The README with the table of these results. */
export function withSummary(readme, { sections }) {
  const [start, end] = [readme.indexOf(marks[0]) + marks[0].length, readme.indexOf(marks[1])];
  if (end < start) throw new Error(`README.md has no ${marks[0].trim()}`);
  return readme.slice(0, start) + reportSummary(sections, ["bytes", "time"]) + readme.slice(end);
}
