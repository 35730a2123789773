// What the project set itself, beside what was measured.
import { beside, standing } from "../standing.mjs";
import { batchWork, works } from "../works.mjs";
import { fine, kilobytes, markdownTable, times } from "./markdown.mjs";

/**
 * @param {(import("../standing.mjs").Section & { id: string, title: string })[]} sections
 * @param {object} [batch] see batch.mjs.
 * @returns {string} a table in Markdown.
 */
export function reportGoals(sections, batch) {
  const rows = works.flatMap(({ id, goals = [] }) => {
    const section = sections.find((one) => one.id === id);
    return section ? goals.map((goal) => row(section, goal)) : [];
  });
  if (batch) rows.push(batchRow(batch));
  return markdownTable(["", "goal", "measured", ""], rows);
}

/** Whether a work misses one of its goals. */
export function misses(section) {
  const { goals = [] } = works.find(({ id }) => id === section.id);
  return goals.some((goal) => !measured(section, goal).reached);
}

function row(section, goal) {
  const { what, most, figure, reached } = measured(section, goal);
  return [`${section.title}: ${what}`, `≤ ${most}`, figure, verdict(reached)];
}

/** By what the table shows. */
function measured(section, { measure, most, beside: peer }) {
  const { download, peers } = section;
  if (measure === "download") {
    const reached = download.filepress <= most;
    return { what: "download, kB gz", most: kilobytes(most), figure: kilobytes(download.filepress), reached };
  }
  const rival = peer ?? standing(section).find((one) => one.measure === measure).rival;
  const { name } = peers.find(({ id }) => id === rival);
  const format = measure === "bytes" ? fine : times;
  const figure = format(beside(section, measure, rival));
  return { what: `${measure} beside ${name}`, most: format(most), figure, reached: Number(figure) <= most };
}

function batchRow({ title, photos, rows }) {
  const { one, all } = rows.find(({ peer }) => peer === "filepress");
  const gain = times((one * photos) / all);
  return [`${title}: × one after the other`, `≥ ${times(batchWork.least)}`, gain, verdict(Number(gain) >= batchWork.least)];
}

const verdict = (reached) => (reached ? "reached" : "**missed**");
