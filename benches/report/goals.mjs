// The goals of the project beside the measured figures.
import { reasons, unknown } from "../loss-reasons.mjs";
import { beside, standing } from "../ranking.mjs";
import { batchCase, cases } from "../cases.mjs";
import { fine, kilobytes, markdownTable, times } from "./markdown.mjs";

/**
 * @param {(import("../ranking.mjs").Section & { id: string, title: string })[]} sections
 * @param {object} [batch] see batch.mjs.
 * @returns {string} a table in Markdown.
 */
export function reportGoals(sections, batch) {
  const rows = sections.flatMap((section) => goalsOf(section).map((goal) => row(section, goal)));
  if (batch) rows.push(batchRow(batch));
  const table = markdownTable(["", "goal", "measured", ""], rows);
  const missed = sections.flatMap((section) => goalsOf(section).filter((goal) => !measured(section, goal).reached).map((goal) => why(section, goal)));
  return [table, ...(missed.length > 0 ? [missed.join("\n")] : [])].join("\n\n");
}

/** Whether a work misses one of its goals. */
export function misses(section) {
  return goalsOf(section).some((goal) => !measured(section, goal).reached);
}

/** A work in Chromium has none. */
const goalsOf = ({ id }) => cases.find((work) => work.id === id)?.goals ?? [];

/** Beside the table of the work stands its profile. */
const why = ({ id, title }, { measure }) => `- ${title}: ${measure} missed. ${reasons[`${id}.${measure}`] ?? unknown}`;

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
  return { what: `${measure} compared with ${name}`, most: format(most), figure, reached: Number(figure) <= most };
}

function batchRow({ title, photos, rows }) {
  const { one, all } = rows.find(({ peer }) => peer === "filepress");
  const gain = times((one * photos) / all);
  return [`${title}: speed-up over one after the other`, `≥ ${times(batchCase.least)}`, gain, verdict(Number(gain) >= batchCase.least)];
}

const verdict = (reached) => (reached ? "reached" : "**missed**");
