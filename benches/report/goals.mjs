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

function row(section, { measure, most, beside: peer }) {
  const { title, download, peers } = section;
  if (measure === "download") {
    return [`${title}: download, kB gz`, `≤ ${kilobytes(most)}`, kilobytes(download.filepress), verdict(download.filepress <= most)];
  }
  const rival = peer ?? standing(section).find((one) => one.measure === measure).rival;
  const measured = beside(section, measure, rival);
  const figure = measure === "bytes" ? fine : times;
  const { name } = peers.find(({ id }) => id === rival);
  // By what the table shows.
  return [`${title}: ${measure} beside ${name}`, `≤ ${figure(most)}`, figure(measured), verdict(Number(figure(measured)) <= most)];
}

function batchRow({ title, photos, rows }) {
  const { one, all } = rows.find(({ peer }) => peer === "filepress");
  const gain = (one * photos) / all;
  return [`${title}: × one after the other`, `≥ ${times(batchWork.least)}`, times(gain), verdict(gain >= batchWork.least)];
}

const verdict = (reached) => (reached ? "reached" : "**missed**");
