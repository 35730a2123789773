// The rows that filepress loses, with the reasons from loss-reasons.mjs.
import { reasons, unknown } from "../loss-reasons.mjs";
import { sameSize, standing } from "../ranking.mjs";
import { fine, percent, times } from "./markdown.mjs";

const phrases = {
  bytes: (ratio, rival) => `${fine(ratio)} × the bytes of ${rival}`,
  time: (ratio, rival) => `${times(ratio)} × the time of ${rival} (the fastest library whose files are at most ${percent(sameSize - 1)} larger than the smallest)`,
  fastest: (ratio, rival) => `${times(ratio)} × the time of ${rival} (the fastest of all)`,
  memory: (ratio, rival) => `${times(ratio)} × the WebAssembly memory of ${rival}`,
  download: (ratio, rival) => `${times(ratio)} × the download of ${rival}`,
  batch: (ratio, rival) => `${times(ratio)} × the time of ${rival}`,
};

/**
 * @param {(import("../ranking.mjs").Section & { id: string, title: string })[]} sections
 * @param {object} [batch] the photos that were handed over at once, see batch.mjs.
 * @returns {string} a list in Markdown.
 */
export function reportLosses(sections, batch) {
  const lost = [...sections.map((section) => [section, standing(section)]), ...(batch ? [[batch, [batchStanding(batch)]]] : [])];
  const lines = lost.flatMap(([section, rows]) =>
    rows.filter((row) => loses(row) && !repeats(row, rows)).map((row) => line(section, row)),
  );
  return lines.length === 0 ? "None in this run." : lines.join("\n");
}

/** Whether a rival takes less time, be it with larger files. */
export function losesTime(section) {
  return standing(section).some((row) => (row.measure === "time" || row.measure === "fastest") && loses(row));
}

/** Beside the fastest rival, whatever its files. */
function batchStanding({ peers, rows }) {
  const native = new Set(peers.filter((peer) => peer.native).map(({ id }) => id));
  const [ours, rivals] = [rows.find(({ peer }) => peer === "filepress"), rows.filter(({ peer }) => peer !== "filepress" && !native.has(peer))];
  const fastest = rivals.toSorted((a, b) => a.all - b.all)[0];
  return { measure: "batch", rival: fastest.peer, ratio: ours.all / fastest.all };
}

/** By what the tables show: a ratio that is rounded to 1 is none. */
function loses({ measure, ratio }) {
  return Number(measure === "bytes" ? fine(ratio) : times(ratio)) > 1;
}

/** Where the fastest makes files of the same size, there is one row to tell, not two. */
function repeats({ measure, rival }, rows) {
  return measure === "fastest" && rows.some((row) => row.measure === "time" && row.rival === rival);
}

function line({ id, title, peers }, { measure, rival, ratio }) {
  const { name } = peers.find((peer) => peer.id === rival);
  return `- ${title}: ${phrases[measure](ratio, name)}. ${reasons[id === measure ? id : `${id}.${measure}`] ?? unknown}`;
}
